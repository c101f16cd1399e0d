"""A mail server that takes everything and keeps nothing.

`python -m gm.bench.smtp_sink` prints its port and serves until killed.
"""

import asyncio


async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say yes to every command; read a mail to its dot."""
    writer.write(b"220 sink\r\n")
    while line := await reader.readline():
        command = line[:4].upper()
        if command == b"DATA":
            writer.write(b"354 go on\r\n")
            await writer.drain()
            await reader.readuntil(b"\r\n.\r\n")
            writer.write(b"250 taken\r\n")
        elif command == b"QUIT":
            writer.write(b"221 bye\r\n")
            break
        else:
            writer.write(b"250 yes\r\n")
        await writer.drain()
    writer.close()


async def main() -> None:
    """Listen on a free port of this machine."""
    server = await asyncio.start_server(converse, "127.0.0.1", 0, limit=2**22)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
