"""From what happened to the mail that was sent, all of it in table `mail`:

1. Queued, in the transaction of what it tells: a row with its recipient and what it is about, no
   words yet. After a crash either both are stored or neither.
2. Written, by a pass, from what is stored: `written_at`, and the bytes in `mail_bytes`. Several
   rows of one act to one person become one mail: one has the bytes, the others are `joined` to it.
   After a crash it is written again; what is told is the same.
3. Leased for `LEASE_SECONDS` and sent with the same bytes and Message-ID until the server accepts
   them: `sent_at`. A crash between the answer and the commit repeats one mail. It is put off
   (`next_try`), refused for good (`failed_at`) or withdrawn (`withdrawn_at`) instead.
"""
