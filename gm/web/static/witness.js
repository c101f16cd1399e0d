/* What mails bear witness to: the lines in which they carry proof, compared with a record. Nothing else of a mail is read.
   One text is one mail: what it promises or tells beside the secret counts for nothing, since the host could have made it up.  */
(function (global) {
  'use strict';
  const GAP = '(?:[ \\t]+|[ \\t]*\\n)';
  const PROOF = new RegExp(`^Proof:${GAP}([a-z0-9][a-z0-9-]{0,31})${GAP}([0-9]{1,4})${GAP}(commitment|chain|withdrawn|receipt|used|secret)(?:${GAP}seat${GAP}([0-9]{1,4}))?`
    + `(?:${GAP}version${GAP}([0-9]{1,7}))?(?:${GAP}since${GAP}([0-9]{1,4}))?(?:${GAP}at${GAP}([0-9TZ:-]{20}))?[ \\t]*\\n([0-9a-f]{64})[ \\t]*$`, 'gm');

  /* A line ends at a line feed alone, as the other program has it. */
  const read = (text) => [...text.replace(/\r\n/g, '\n').replace(/[\r\u2028\u2029]/g, '\0').replace(/^(?:> ?)+/gm, '').matchAll(PROOF)]
    .map(([, game, round, kind, seat, version, since, at, value]) => ({ game, round: Number(round), kind, value, seat: Number(seat || 0), version: Number(version || 0), since: since ? Number(since) : undefined, at: at || '' }));

  const INVISIBLE = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
  const BLANK = '[\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]{1,99}';
  const LIKENESS = new RegExp(`(?<![0-9A-Za-z_])[0-9]{1,4}${BLANK}(?:commitment|chain|withdrawn|receipt|used|secret)(?:${BLANK}(?:seat|version|since|at)${BLANK}[0-9A-Za-z:-]{1,20})*${BLANK}[0-9a-f]{64}(?![0-9A-Za-z_])`, 'gi');
  const BEGINNING = /^(?:[^\s>]{1,40}>)?[^\p{L}\p{N}_\n]{0,40}Proof:/gmu;
  /* How many lines of proof a text seems to have besides those that are read. */
  function unread(text) {
    const rest = text.replace(/\r\n/g, '\n').replace(/[\r\u2028\u2029]/g, '\0').replace(/^(?:> ?)+/gm, '').replace(PROOF, '\n'), visible = rest.replace(INVISIBLE, '');
    return Math.max((visible.match(BEGINNING) || []).length, (visible.match(LIKENESS) || []).length);
  }

  /* mails: the lines of each. chain: the record's value of a round. fail(place, reason, values) ends the check.
     Fills { commitment, chains, receipts, conditions, tellings, voidReports, mails }, as verify.js takes them. */
  function hear(record, proof, mails, chain, fail, heard) {
    const own = mails.map((mail, i) => Object.assign(mail.filter((line) => line.game === record.game), { number: i + 1 })).filter((mail) => mail.length);
    own.forEach((mail) => { mail.late = mail.some((line) => line.kind === 'secret'); });
    Object.assign(heard, { commitment: '', chains: [], receipts: [], conditions: [], tellings: [], voidReports: [], mails: own.length });
    const { conditions, tellings, chains } = heard;
    const notes = [...proof.rounds, { notes: proof.notes || [] }].flatMap((round, i) => round.notes.map((note) => ({ ...note, round: i + 1 })));
    const seatOf = (line) => {
      if (line.seat < 1 || line.seat > record.seats.length) fail(['round', line.round], 'saidSeat', { seat: line.seat, seats: record.seats.length });
      return record.seats[line.seat - 1];
    };
    const usedOf = (number, seat) => (number >= 1 && number <= proof.rounds.length && Object.hasOwn(proof.rounds[number - 1].receipts, seat) ? proof.rounds[number - 1].receipts[seat] : null);

    const told = own.filter((mail) => !mail.late).flatMap((mail) => mail.filter((line) => line.kind === 'withdrawn').map((line) => ({ ...line, mail: mail.number })));
    /* When and why, as the host wrote it: on one line. */
    const because = (note) => { const why = note.text.split(/\s+/u).filter(Boolean).join(' '); return { at: why ? `${note.at} (${why})` : note.at }; };
    const tells = (line, note, value) => line.value === value && line.round === note.round && line.since === (note.kind === 'restored' ? note.since || 0 : undefined) && line.at === note.at && !line.seat && !line.version;
    /* What the record takes back or leaves out: a condition if no mail tells of it. */
    notes.filter((note) => (note.withdrawn || []).length).forEach((note) => {
      const tellers = note.withdrawn.map((value) => told.find((line) => line.value === value && line.round === note.round)), isWhole = note.withdrawn.every((value) => told.some((line) => tells(line, note, value))), what = note.kind === 'rollback' ? ['ifTakenBack', { round: note.round, ...because(note) }] : ['ifLost', { round: note.since || 0, ...because(note) }];
      if (tellers.every(Boolean)) tellings.push([...(isWhole ? what : ['ifVoid', { round: note.round }]), [...new Set(tellers.map((line) => line.mail))].sort((a, b) => a - b).join(', ')]);
      else conditions.push(what);
    });
    const last = proof.rounds.length;
    if (proof.end === 'aborted') {
      const teller = own.find((mail) => mail.some((line) => line.kind === 'secret' && line.round === last + 1 && line.value === proof.secret) && !mail.some((line) => line.kind === 'chain' && line.round === last + 1));
      if (teller) tellings.push(['ifEnded', { last }, String(teller.number)]);
      else conditions.push(['ifEnded', { last }]);
    }

    const promised = own.filter((mail) => !mail.late).flat().filter((line) => line.kind === 'commitment');
    const wrong = promised.find((line) => line.value !== proof.commitment);
    if (wrong) fail(['commitment'], 'saidCommitment', { yours: wrong.value, record: proof.commitment });

    if (promised.length) heard.commitment = proof.commitment;
    const said = new Map(), dead = new Set();
    own.flat().filter((line) => line.kind === 'chain').forEach((line) => said.set(line.round, (said.get(line.round) || new Set()).add(line.value)));
    [...said].sort(([a], [b]) => a - b).forEach(([number, values]) => {
      /* A rollback takes back its own round and those after it. */
      const back = new Set(notes.filter((note) => note.kind === 'restored' || note.round <= number).flatMap((note) => note.withdrawn || []));
      const found = chain(number), standing = [...values].filter((value) => !back.has(value)).sort(), others = standing.filter((value) => value !== found);
      [...values].filter((value) => back.has(value) || others.includes(value)).forEach((value) => { dead.add(`${number} ${value}`); heard.voidReports = [...new Set([...heard.voidReports, number])]; });
      const excuse = others.length ? excused(number) : null;
      if (excuse) conditions.push(...(excuse.length ? [[excuse[0], { round: number }]] : []));
      else if (standing.length > 1) fail(['chain', number], 'twoChains', { one: standing[0], other: standing[1] });
      else if (others.length && found === undefined) fail(['round', number], 'saidNoRound', { yours: others[0] });
      else if (others.length) fail(['chain', number], 'saidChain', { yours: others[0], record: found });
      if (standing.includes(found)) chains.push([number, found]);
    });
    /* Why another value than the record's accuses nobody: a condition, an empty list for none; null if it does. */
    function excused(number) {
      if (notes.some((note) => note.kind === 'restored' && note.withdrawn === undefined)) return ['ifAnew'];
      if (number > proof.rounds.length && proof.end === 'aborted') return ['ifAborted'];
      return number > proof.rounds.length && proof.end === undefined ? [] : null;
    }

    const receipts = new Map(), keep = (round, seat, value) => { receipts.set(`${round} ${seat}`, [round, seat, value]); heard.receipts = [...receipts.values()]; };
    own.forEach((mail) => {
      const before = new Map();
      mail.forEach((line) => {
        if (line.kind === 'chain') before.set(line.round, line.value);
        if (line.kind !== 'used' || dead.has(`${line.round} ${before.get(line.round)}`)) return;
        const seat = seatOf(line), used = usedOf(line.round, seat), excuse = line.round > proof.rounds.length ? excused(line.round) : null;
        if (excuse) { conditions.push(...(excuse.length ? [[excuse[0], { round: line.round }]] : [])); return; }
        if (used && used.receipt === line.value) { keep(line.round, seat, line.value); return; }
        /* The line that says which play it was of was lost. */
        if (!before.has(line.round) && notes.some((note) => (note.kind === 'restored' || note.round <= line.round) && (note.withdrawn || []).length)) { conditions.push(['ifVoid', { round: line.round }]); return; }
        if (!used) fail(['seat', line.round, seat], 'saidUsedNone', { yours: line.value });
        fail(['seat', line.round, seat], 'saidUsed', { yours: line.value, record: used.receipt });
      });
    });

    /* The notes that tell why a list was not used; one that would be later than the end of its round explains nothing. */
    const explanations = (line, seat) => notes.filter((note) => {
      if (note.at < line.at || note.at > (note.round > last ? '9999-12-31T23:59:59Z' : proof.rounds[note.round - 1].closed || '')) return false;
      if (note.kind === 'rollback') return note.withdrawn !== undefined && note.withdrawn.length > 0 && note.round < line.round;
      if (note.kind === 'restored') return (note.withdrawn === undefined ? 0 : note.since || 0) <= line.round;
      return ['replaced', 'removed'].includes(note.kind) && note.seat === seat && note.round <= line.round;
    });
    /* A mail told of a note if it has every value with the round, the first round lost and the instant of the note. */
    const isTold = (note) => (note.withdrawn || []).length > 0 && note.withdrawn.every((value) => told.some((line) => tells(line, note, value)));
    const reasons = { rollback: 'ifRollback', restored: 'ifRestored', replaced: 'ifReplaced', removed: 'ifRemoved' };
    const mine = own.flat().filter((line) => line.kind === 'receipt'), places = new Map(mine.map((line) => [line.round * 1e4 + line.seat, line]));
    [...places].sort(([a], [b]) => a - b).forEach(([, { round, seat: place }]) => {
      const lines = mine.filter((line) => line.round === round && line.seat === place), seat = seatOf(lines[0]), used = usedOf(round, seat);
      const found = Boolean(used) && lines.some((line) => line.value === used.receipt), gone = [];
      if (found) keep(round, seat, used.receipt);
      /* After a restore numbers are given again: a newer list also came later. Beside the secret its receipt replaces none. */
      const isUsed = (line) => line.kind === 'receipt' && line.round === round && line.seat === place && line.value === used.receipt;
      const newer = found ? own.filter((mail) => !mail.late && mail.some(isUsed)) : [], usedAt = newer.flat().filter(isUsed).map((line) => line.at).sort().pop() || '';
      lines.forEach((line) => {
        if (found && line.value === used.receipt) return;
        if (newer.length && line.version && line.version < used.revision && line.at <= usedAt) {
          tellings.push(['ifNewer', { seat, version: used.revision, round }, String(newer[0].number)]);
          return;
        }
        const explained = explanations(line, seat), [note] = explained;
        if (!note) gone.push(line);
        else if (!line.at || !explained.some(isTold)) conditions.push([reasons[note.kind], { seat, round, ...because(note) }]);
      });
      if (round > last && proof.end !== 'finished') {
        const excuse = gone.length && round > last + 1 ? excused(round) || [] : [];
        if (excuse.length) conditions.push([excuse[0], { round }]);
        return;
      }
      if (!gone.length) return;
      const newest = gone.reduce((best, line) => (line.version > best.version ? line : best)), values = { version: newest.version, yours: newest.value };
      if (!used) fail(['seat', round, seat], 'saidReceiptNone', values);
      if (used.revision <= newest.version) fail(['seat', round, seat], 'saidReceipt', { ...values, revision: used.revision, record: used.receipt });
      conditions.push(['ifNewer', { seat, version: used.revision, round }]);
    });
  }
  global.BohnenWitness = { read, unread, hear };
})(typeof window === 'undefined' ? globalThis : window);
