"""From what happened to the mail that was sent, all of it in table `mail`:

1. Queued, in the transaction of what it tells: a row with its recipient and what it is about, no
   words yet. After a crash either both are stored or neither.
2. Written, by a pass, from what is stored: `written_at`, and the bytes in `mail_bytes`. Several
   rows of one act to one person become one mail: one has the bytes, the others are `joined` to it.
   After a crash it is written again; what is told is the same.
3. Leased for `LEASE_SECONDS` and sent with the same bytes and Message-ID until the server accepts
   them: `sent_at`. A crash between the answer and the commit repeats one mail. It is put off
   (`next_try`), refused for good (`failed_at`) or withdrawn (`withdrawn_at`) instead.

What a row of `mail` says of its state, the first that fits:

- sent: `sent_at`; no bytes.
- withdrawn: `withdrawn_at`; no bytes. Only a receipt comes back, if its round is taken back before
  the report was sent.
- refused: `failed_at`; no bytes. Sent again, it is written anew, with the link of that time.
- waits to be written: no `written_at`.
- told by another: `joined`; that mail has the bytes, and both are sent or refused together.
- waits to be sent: `written_at`, and bytes; `next_try` says from when on.
"""
