/* What pasted mails bear witness to: commitment, chain values and digests, found by the words that stand before them.
   Only what begins at the margin counts: in the mails players' words are indented.                                       */
(function (global) {
  'use strict';
  const HEX = /^[0-9a-f]{64}$/, PAGE = /\/p\/([a-z0-9][a-z0-9-]{0,31})(?![a-z0-9-])/;
  const MAIL_ID = /^Message-ID:\s*<([a-z]+)\.(\d{1,4})\.([a-z0-9][a-z0-9-]{0,31})\.[0-9a-f]{16}@/i;
  const LABELS = [
    ['commitment', /bohn-shuffle-1|promise behind the deck|Versprechen hinter dem (?:Kartens|S)tapel/],
    ['chain', /(?:The chain (?:over|begins|up to)|Die Kette (?:über|beginnt|bis))/],
    ['withdrawn', /Taken back with|Mit einer früheren Fassung/],
    ['used', /^(.+), (?:version|Fassung) \d{1,7}\b/],
  ];
  const SECRET = /this is the secret|das ist das Geheimnis/i;
  const ROUND = /^(?:.*: )?(?:Report on round|Bericht über Runde) (\d{1,4})\b/, START = /^(?:.*: )?(?:The game begins|Die Partie beginnt)\b/;
  const AGAIN = /^(?:Round|Runde) (\d{1,4}) (?:was played again|wurde noch einmal ausgewertet)/, GREETING = /^(?:Hello|Hallo) .+,$/;

  /* The source of a mail, as some programs copy it: its bodies are quoted-printable. */
  function plain(text) {
    if (!/^Content-Transfer-Encoding: quoted-printable/im.test(text)) return text;
    const joined = text.replace(/=\r?\n/g, '');
    return joined.replace(/(?:=[0-9A-F]{2})+/g, (run) => new TextDecoder().decode(Uint8Array.from(run.slice(1).split('='), (pair) => parseInt(pair, 16))));
  }
  /* One mail after the other: a new one begins with its Message-ID, its title or its greeting. */
  function mailsOf(text) {
    const mails = [];
    let mail = null, opened = false;
    plain(text).normalize('NFC').split(/\r?\n/).forEach((raw) => {
      const line = raw.replace(/^(?:> ?)+/, '').trimEnd(), opening = ROUND.test(line) || START.test(line) || GREETING.test(line);
      if (!mail || MAIL_ID.test(line) || (opening && opened)) { mail = { lines: [] }; mails.push(mail); opened = false; }
      opened = opened || opening;
      mail.lines.push(line);
    });
    let game = null;  /* a mail that names no game tells of the one before it */
    return mails.map(read).map((one) => { game = one.game || game; return { ...one, game }; });
  }
  function read({ lines }) {
    const first = (pattern) => { for (const line of lines) { const hit = pattern.exec(line); if (hit) return hit; } return null; };
    const id = first(MAIL_ID), page = first(PAGE), round = first(ROUND) || first(AGAIN), values = [];
    lines.forEach((line, at) => {
      if (!HEX.test(line)) return;
      for (let above = at - 1; above >= 0 && lines[above] && !HEX.test(lines[above]); above--) {
        const label = LABELS.find(([, pattern]) => pattern.test(lines[above]));
        if (label) { values.push([label[0], label[0] === 'used' ? label[1].exec(lines[above])[1] : '', line]); return; }
      }
    });
    const number = round ? Number(round[1]) : first(START) ? 0 : id && id[1] !== 'news' ? Number(id[2]) : null;
    return { game: id ? id[3] : page ? page[1] : null, round: number, late: lines.some((line) => SECRET.test(line)), values };
  }
  /* text: mails as they were pasted; game: the game they are to tell of. What was taken back is left out, and so is what the
     mails say different things of (`odd`), and a commitment that came with the secret. */
  function witness(text, game) {
    const mails = mailsOf(text).filter((mail) => mail.values.length && (mail.game === game || mail.game === null));
    const all = (mail, kind) => mail.values.filter(([found]) => found === kind).map(([, , value]) => value);
    const back = new Set(mails.flatMap((mail) => all(mail, 'withdrawn'))), said = new Map();
    mails.filter((mail) => !all(mail, 'chain').some((value) => back.has(value))).forEach((mail) => mail.values.forEach(([kind, seat, value]) => {
      if (kind === 'withdrawn' || (kind === 'commitment' ? mail.late : mail.round === null)) return;
      const key = JSON.stringify([kind, kind === 'commitment' ? 0 : mail.round, seat]);
      said.set(key, (said.get(key) || new Set()).add(value));
    }));
    const found = { commitment: '', chains: [], receipts: [], odd: [], mails: mails.length };
    said.forEach((values, key) => {
      const [kind, number, seat] = JSON.parse(key), value = [...values][0];
      if (values.size > 1) found.odd.push([kind, number]);
      else if (kind === 'commitment') found.commitment = value;
      else if (kind === 'chain') found.chains.push([number, value]);
      else found.receipts.push([number, seat, value]);
    });
    return found;
  }
  global.BohnenWitness = { witness };
})(typeof window === 'undefined' ? globalThis : window);
