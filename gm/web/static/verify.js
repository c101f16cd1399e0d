/* Is a record what was promised? The second, independent program: no line of the server's is used, nothing is sent anywhere.
   Written from the definition of bohn-shuffle-1; the rules of each game stand in its own folder, as docs/variants.md says.
   Needs Web Crypto (https, or localhost).                                                                                  */
(function (global) {
  'use strict';
  const PROVEN = 'PROVEN', PARTLY = 'PROVEN IN PART', AGREES = 'AGREES ONLY', FALSE = 'NOT PROVEN', UNCHECKED = 'CANNOT BE CHECKED', IF = 'PROVEN IF';
  const ALGORITHM = 'bohn-shuffle-1', SETUP = 'bohnenpost-setup/2';
  const games = global.BohnenGames ??= Object.create(null);

  class Stop extends Error {
    constructor(verdict, place, reason) { super(`${place.join(' ')} ${reason[0]}`); Object.assign(this, { verdict, place, reason }); }
  }
  const fail = (place, ...reason) => { throw new Stop(FALSE, place, reason); };
  const unchecked = (...reason) => { throw new Stop(UNCHECKED, [], reason); };

  /* ---- strict JSON: no key twice, whole numbers only ---- */
  function parse(text) {
    let at = 0;
    const bad = (what) => fail(['form'], 'json', { what: `${what}, ${at}` });
    const blanks = () => { while (' \t\n\r'.includes(text[at]) && at < text.length) at++; };
    function value(depth) {
      if (depth > 60) bad('depth');
      blanks();
      if (text[at] === '{') return object(depth);
      if (text[at] === '[') return list(depth);
      if (text[at] === '"') return string();
      const word = /^(?:true|false|null|-?(?:0|[1-9]\d*))(?![\w.])/.exec(text.slice(at, at + 40));
      if (!word) bad('value');
      at += word[0].length;
      const read = JSON.parse(word[0]);
      if (typeof read === 'number' && !Number.isSafeInteger(read)) bad('number');
      return read;
    }
    function string() {
      const found = /^"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/.exec(text.slice(at));
      if (!found) bad('string');
      at += found[0].length;
      const read = JSON.parse(found[0]);
      if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(read)) bad('half a character');
      return read;
    }
    function list(depth) {
      const items = [];
      for (at++, blanks(); text[at] !== ']'; blanks()) {
        if (items.length) { if (text[at] !== ',') bad(','); at++; }
        items.push(value(depth + 1));
      }
      at++;
      return items;
    }
    function object(depth) {
      const entries = new Map();
      for (at++, blanks(); text[at] !== '}'; blanks()) {
        if (entries.size) { if (text[at] !== ',') bad(','); at++; blanks(); }
        if (text[at] !== '"') bad('key');
        const key = string();
        if (entries.has(key)) bad(`twice: ${key}`);
        blanks();
        if (text[at] !== ':') bad(':');
        at++;
        entries.set(key, value(depth + 1));
      }
      at++;
      return Object.assign(Object.create(null), Object.fromEntries(entries));
    }
    const read = value(0);
    blanks();
    if (at < text.length) bad('end');
    return read;
  }

  /* ---- bytes and hashes ---- */
  const utf8 = new TextEncoder();
  const bytes = (field) => (typeof field === 'string' ? utf8.encode(field) : field);
  const hex = (data) => [...data].map((b) => b.toString(16).padStart(2, '0')).join('');
  const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
  const word = (n) => [n >>> 24 & 255, n >>> 16 & 255, n >>> 8 & 255, n & 255];
  const enc = (...fields) => Uint8Array.from(fields.flatMap((field) => { const data = bytes(field); return [...word(data.length), ...data]; }));
  const sha = async (data) => new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  async function mac(key, message) {
    const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message));
  }
  const byCodePoint = (a, b) => { const x = bytes(a), y = bytes(b); for (let i = 0; i < x.length && i < y.length; i++) if (x[i] !== y[i]) return x[i] - y[i]; return x.length - y.length; };
  /* Canonical JSON: keys sorted, no blanks, ASCII. */
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
    if (value && typeof value === 'object') return `{${Object.keys(value).sort(byCodePoint).map((key) => `${canonical(key)}:${canonical(value[key])}`).join(',')}}`;
    if (typeof value !== 'string') return JSON.stringify(value);
    return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  }
  const flat = (phrases) => Object.keys(phrases).sort(byCodePoint).flatMap((seat) => [seat, phrases[seat]]);

  /* ---- the deck ---- */
  const masterKey = (game, secret, setupHash, phrases) => mac(secret, enc('bohn1.master', game, setupHash, new Uint8Array(0), ...flat(phrases)));
  /* A stream of numbers below a bound, all equally likely: words that would favour the small ones are dropped. */
  async function stream(master, label) {
    const key = await mac(master, enc('bohn1.stream', label));
    let block = [], number = 0;
    return async (bound) => {
      for (;;) {
        if (!block.length) { block = [...await mac(key, Uint8Array.from([0, 0, 0, 0, ...word(number)]))]; number++; }
        const drawn = block.splice(0, 4).reduce((sum, b) => sum * 256 + b, 0);
        if (drawn < 2 ** 32 - (2 ** 32 % bound)) return drawn % bound;
      }
    };
  }
  async function shuffle(items, below) {
    const mixed = [...items];
    for (let i = mixed.length - 1; i > 0; i--) { const j = await below(i + 1); [mixed[i], mixed[j]] = [mixed[j], mixed[i]]; }
    return mixed;
  }
  /* The chance of one game: (label, size) to the numbers from 0 to size - 1, shuffled; the same label says the same again. */
  async function chanceOf(game, secret, setup, phrases) {
    const master = await masterKey(game, secret, await sha(bytes(canonical(setup))), phrases);
    return async (label, size) => shuffle([...Array(size).keys()], await stream(master, label));
  }

  /* ---- the checks, in their order ---- */
  const isText = (value) => typeof value === 'string', isInstant = (value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value), isHex = (value, size) => isText(value) && new RegExp(`^[0-9a-f]{${size}}$`).test(value);
  const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
  function closed(value, needed, allowed, where) {
    if (!isObject(value)) fail(['form'], 'shape', { what: where });
    Object.keys(value).forEach((key) => { if (![...needed, ...allowed].includes(key)) fail(['form'], 'key', { what: `${where}.${key}` }); });
    needed.forEach((key) => { if (!(key in value)) fail(['form'], 'missing', { what: `${where}.${key}` }); });
  }
  const need = (right, where) => { if (!right) fail(['form'], 'shape', { what: where }); };
  const odd = (text) => /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text), hidden = (text) => odd(text) || /(?![\u200c\u200d])[\p{Cf}\p{Co}]|^[\u200c\u200d]|[\u200c\u200d]$/u.test(text);

  function form(text) {
    const record = parse(text);
    closed(record, ['format', 'variant', 'game', 'seats', 'rounds'], ['house_rules', 'deck', 'reshuffles', 'piles', 'fairness'], '$');
    need(record.format === 'bohnenpost/1', '$.format');
    need(isText(record.variant), '$.variant');
    need(isText(record.game) && /^[a-z0-9][a-z0-9-]{0,31}$/.test(record.game), '$.game');
    need(Array.isArray(record.seats) && record.seats.length && record.seats.every((seat) => isText(seat) && seat && seat === seat.trim() && [...seat].length <= 40 && !hidden(seat)), '$.seats');
    need(new Set(record.seats.map((seat) => seat.normalize('NFC'))).size === record.seats.length, '$.seats');
    need(record.house_rules === undefined || isObject(record.house_rules), '$.house_rules');
    need(Array.isArray(record.rounds), '$.rounds');
    record.rounds.forEach((round, i) => {
      closed(round, ['orders'], [], `$.rounds[${i}]`);
      need(isObject(round.orders) && Object.values(round.orders).every((list) => list === null || isText(list)), `$.rounds[${i}].orders`);
    });
    need(record.deck === undefined || (Array.isArray(record.deck) && record.deck.every(isText)), '$.deck');
    need(record.reshuffles === undefined || (record.deck !== undefined && Array.isArray(record.reshuffles) && record.reshuffles.every((cards) => Array.isArray(cards) && cards.every(isText))), '$.reshuffles');
    need(record.piles === undefined || (record.deck !== undefined && isObject(record.piles) && Object.values(record.piles).every((cards) => Array.isArray(cards) && cards.every(isText))), '$.piles');
    need(!(record.deck !== undefined && record.fairness !== undefined), '$.deck');
    if (record.fairness !== undefined) formOfProof(record.fairness);
    return record;
  }
  function formOfProof(proof) {
    closed(proof, ['algorithm', 'level', 'commitment', 'setup'], ['secret', 'phrases', 'end', 'notes', 'rounds'], '$.fairness');
    need(isText(proof.algorithm) && Number.isInteger(proof.level) && isHex(proof.commitment, 64) && isObject(proof.setup), '$.fairness');
    need(proof.secret === undefined || isHex(proof.secret, 64), '$.fairness.secret');
    need(proof.end === undefined || ['finished', 'aborted'].includes(proof.end), '$.fairness.end');
    if (proof.phrases === undefined) proof.phrases = Object.create(null);
    if (proof.rounds === undefined) proof.rounds = [];
    need(proof.notes === undefined || (Array.isArray(proof.notes) && proof.notes.every(isObject)), '$.fairness.notes');
    need(isObject(proof.phrases) && Object.values(proof.phrases).every(isText) && Array.isArray(proof.rounds), '$.fairness');
    proof.rounds.forEach((round, i) => {
      closed(round, ['receipts', 'notes', 'chain'], ['deadline', 'closed'], `$.fairness.rounds[${i}]`);
      need(isHex(round.chain, 64) && isObject(round.receipts) && Array.isArray(round.notes) && round.notes.every(isObject) && [round.deadline, round.closed].every((at) => at === undefined || isInstant(at)), `$.fairness.rounds[${i}]`);
      Object.values(round.receipts).filter(Boolean).forEach((used) => {
        closed(used, ['revision', 'receipt'], ['salt'], `$.fairness.rounds[${i}].receipts`);
        need(Number.isInteger(used.revision) && used.revision >= 1 && used.revision <= 1e6 && isHex(used.receipt, 64) && (used.salt === undefined || isHex(used.salt, 32)), `$.fairness.rounds[${i}].receipts`);
      });
      need(Object.values(round.receipts).every((used) => used === null || isObject(used)), `$.fairness.rounds[${i}].receipts`);
    });
  }
  const firstChain = async (proof) => sha(enc('bohn1.chain', await sha(bytes(canonical(proof.setup))), unhex(proof.commitment), ...flat(proof.phrases)));

  async function compareGiven(proof, given) {
    if (given.commitment && given.commitment !== proof.commitment) fail(['commitment'], 'givenCommitment', {});
    for (const [number, value] of given.chains || []) {
      if (number > proof.rounds.length) fail(['round', number], 'noRound', {});
      const found = number ? proof.rounds[number - 1].chain : hex(await firstChain(proof));
      if (found === value) continue;
      proof.rounds.forEach((round, i) => round.notes.forEach((note) => {
        if (Array.isArray(note.withdrawn) && note.withdrawn.includes(value)) fail(['chain', number], 'withdrawn', { round: i + 1, text: note.text });
      }));
      fail(['chain', number], 'givenChain', {});
    }
    for (const [number, seat, value] of given.receipts || []) {
      if (number < 1 || number > proof.rounds.length) fail(['round', number], 'noRound', {});
      const used = proof.rounds[number - 1].receipts[seat.normalize('NFC')];
      if (used === undefined) fail(['seat', number, seat], 'noSeat', {});
      if (!used) fail(['seat', number, seat], 'noOrders', {});
      if (used.receipt !== value) fail(['receipt', number, seat], 'givenReceipt', { revision: used.revision });
    }
  }
  function rulesOf(record, game) {
    try { return game.houseRules(record.house_rules || {}); } catch { return fail(['rules'], 'rules', {}); }
  }
  const deckOf = (game, seats) => (game.deckFor ? game.deckFor(game.deck, seats.length) : game.deck);
  function compareSetup(record, proof, game, rules) {
    const [least, most] = game.seats || [1, Infinity];
    if (record.seats.length < least || record.seats.length > most) fail(['setup', 'seats'], 'setup', {});
    const among = (seats, listed) => seats.filter((seat) => Array.isArray(listed) && listed.includes(seat));
    const robots = among(record.seats, proof.setup.robots), people = record.seats.filter((seat) => !robots.includes(seat));
    const wanted = {
      robots, unconfirmed: among(people, proof.setup.unconfirmed), format: SETUP, algorithm: ALGORITHM, level: proof.level, variant: record.variant, game: record.game,
      seats: record.seats, house_rules: rules, deck: deckOf(game, record.seats),
    };
    [...new Set([...Object.keys(wanted), ...Object.keys(proof.setup)])].sort(byCodePoint).forEach((key) => {
      if (!Object.hasOwn(wanted, key) || !Object.hasOwn(proof.setup, key) || canonical(wanted[key]) !== canonical(proof.setup[key])) fail(['setup', key], 'setup', {});
    });
  }
  /* Who must order, then who may besides. Nobody: the game is over. */
  const mayOrder = (game, table) => [...new Set([...game.awaited(table), ...(game.mayOrder ? game.mayOrder(table) : [])])];
  /* The first table, and what was drawn for it: [size, label] each. */
  async function setUp(record, game, rules, chance) {
    const cards = deckOf(game, record.seats).flatMap(([id, count]) => Array(count).fill(id)), drawn = [];
    const noted = (label, size) => { drawn.push([size, label]); return chance(label, size); };
    return { table: await game.setUp(cards, rules, record.seats, noted), drawn };
  }
  /* The checked orders of a round, in the order of the seats that may order. */
  function readRound(record, game, table, lists, number) {
    const sent = Object.keys(lists), able = mayOrder(game, table), orders = Object.create(null);  /* a seat may be called __proto__ */
    if (!able.length) fail(['round', number], 'tooMany', {});
    if (sent.some((seat) => !record.seats.includes(seat)) || able.some((seat) => !sent.includes(seat))) fail(['round', number], 'seats', {});
    const idle = sent.find((seat) => !able.includes(seat));
    if (idle !== undefined) fail(['orders', number, idle], 'idle', {});
    able.forEach((seat) => {
      orders[seat] = lists[seat];
      if (lists[seat] === null) return;
      try { orders[seat] = game.readOrders(table, seat, lists[seat]); } catch { fail(['orders', number, seat], 'illegal', {}); }
      if (game.writeOrders(table, orders[seat]) !== lists[seat]) fail(['orders', number, seat], 'uncanonical', {});
    });
    return orders;
  }
  /* What each round's link of the chain says of the game, and whether it is over after the last one. */
  async function playAll(record, game, first, chance) {
    let table = first;
    const links = [];
    for (const [i, { orders }] of record.rounds.entries()) {
      const [after, events] = await game.adjudicate(table, readRound(record, game, table, orders, i + 1), chance);
      links.push(game.tell(table, events, after));
      table = after;
    }
    return { links, over: !mayOrder(game, table).length };
  }
  async function compareReceipts(record, proof) {
    if (proof.rounds.length !== record.rounds.length) fail(['rounds'], 'rounds', {});
    for (let i = 0; i < record.rounds.length; i++) {
      const lists = record.rounds[i].orders, receipts = proof.rounds[i].receipts;
      const strange = [...new Set([...Object.keys(lists), ...Object.keys(receipts)])].filter((seat) => !(seat in lists) || !(seat in receipts)).sort(byCodePoint);
      if (strange.length) fail(['receipt', i + 1, strange[0]], 'receiptSeats', {});
      for (const [seat, text] of Object.entries(lists)) {
        const used = receipts[seat];
        if ((used === null) !== (text === null)) fail(['receipt', i + 1, seat], 'receiptNull', {});
        if (used === null) continue;
        if (used.salt === undefined) fail(['receipt', i + 1, seat], 'salt', {});
        const digest = await sha(enc('bohn1.receipt', record.game, String(i + 1), seat, String(used.revision), unhex(used.salt), text));
        if (hex(digest) !== used.receipt) fail(['orders', i + 1, seat], 'receipt', {});
      }
    }
  }
  function checkNote(note, number) {
    const fine = Object.keys(note).every((key) => ['kind', 'at', 'text', 'seat', 'withdrawn', 'since'].includes(key)) && (note.since === undefined || (Number.isInteger(note.since) && note.since >= 0 && note.since <= 9999)) && isText(note.kind) && isInstant(note.at) && isText(note.text) && (note.seat === undefined || isText(note.seat))
      && (note.withdrawn === undefined || (['rollback', 'restored'].includes(note.kind) && Array.isArray(note.withdrawn) && note.withdrawn.every(isText)));
    if (!fine) fail(['notes', number], 'note', {});
  }
  async function compareChain(proof, links) {
    let value = await firstChain(proof);
    for (let i = 0; i < links.length; i++) {
      const round = proof.rounds[i], times = Object.fromEntries(['deadline', 'closed'].filter((key) => key in round).map((key) => [key, round[key]]));
      if (Object.keys(times).length !== 2) fail(['times', i + 1], 'times', {});
      if (times.closed < times.deadline) fail(['times', i + 1], 'early', {});
      const receipts = Object.create(null);
      Object.entries(round.receipts).forEach(([seat, used]) => { receipts[seat] = used && used.receipt; });
      value = await sha(enc('bohn1.chain', value, canonical({ ...links[i], round: i + 1, receipts, notes: round.notes, ...times })));
      if (hex(value) !== round.chain) fail(['chain', i + 1], 'chain', {});
    }
    return value;
  }
  function compareEnd(proof, over) {
    if (proof.end === undefined) fail(['end'], 'noEnd', {});
    if ((proof.end === 'finished') !== over) fail(['end'], 'end', {});
  }

  const once = (list) => [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
  /* What was given, and what the mails say besides. */
  async function withMails(record, proof, given, mails, unread, told) {
    const first = hex(await firstChain(proof)), chain = (number) => (number ? (proof.rounds[number - 1] || {}).chain : first);
    const heard = {}, typed = new Set((given.chains || []).map(([number]) => number));
    try {
      global.BohnenWitness.hear(record, proof, mails, chain, fail, heard);
    } finally {
      Object.assign(told, {
        ...heard, conditions: once([...heard.conditions, ...(unread ? [['ifUnread', { count: unread }]] : [])]), tellings: once(heard.tellings), commitment: given.commitment || heard.commitment,
        chains: [...(given.chains || []), ...heard.chains.filter(([number]) => !typed.has(number))], receipts: [...(given.receipts || []), ...heard.receipts],
      });
    }
  }
  async function run(text, typed, mails, checks, told, unread) {
    const record = form(text), proof = record.fairness;
    if (proof !== undefined) [...proof.rounds, { notes: proof.notes || [] }].forEach((round, i) => round.notes.forEach((note) => checkNote(note, i + 1)));
    if (proof !== undefined && proof.notes !== undefined && proof.end === 'finished') fail(['notes', proof.rounds.length + 1], 'note', {});
    if (proof !== undefined) await withMails(record, proof, typed, mails, unread, told);
    const given = told;
    checks.push(['form', '']);
    if (proof === undefined) unchecked('noProof', {});
    await compareGiven(proof, given);
    if (given.commitment || (given.chains || []).length || (given.receipts || []).length) checks.push(['given', '']);
    if (proof.algorithm !== ALGORITHM || proof.level !== 1 || proof.setup.format !== SETUP || !Object.hasOwn(games, record.variant)) unchecked('unknown', {});
    if (proof.secret === undefined) unchecked('running', {});
    checks.push(['known', `${proof.algorithm}, ${proof.level}`]);
    const game = games[record.variant], secret = unhex(proof.secret);
    if (hex(await sha(enc('bohn1.commit', record.game, secret))) !== proof.commitment) fail(['commitment'], 'commitment', {});
    checks.push(['commitment', proof.commitment]);
    const rules = rulesOf(record, game);
    compareSetup(record, proof, game, rules);
    checks.push(['setup', hex(await sha(bytes(canonical(proof.setup))))]);
    if (Object.keys(proof.phrases).length) fail(['phrase', Object.keys(proof.phrases).sort(byCodePoint)[0]], 'phrases', {});
    const chance = await chanceOf(record.game, secret, proof.setup, proof.phrases);
    const { table, drawn } = await setUp(record, game, rules, chance);
    checks.push(['deck', drawn.map((draw) => draw.join(', ')).join('; ')]);
    const { links, over } = await playAll(record, game, table, chance);
    checks.push(['play', String(links.length)]);
    await compareReceipts(record, proof);
    checks.push(['receipts', '']);
    checks.push(['chain', hex(await compareChain(proof, links))]);
    compareEnd(proof, over);
    checks.push(['end', proof.end]);
    const found = witnessed(proof, given), [condition] = given.conditions || [];
    const kept = new Set((given.chains || []).map(([number]) => number)), isVoid = new Set(given.voidReports), rounds = given.mails ? [...Array(Math.max(1, ...kept)).keys()].slice(1) : [];
    return { ...(found.verdict === PROVEN && condition ? { verdict: IF, reason: condition } : found), withoutReport: rounds.filter((number) => !kept.has(number) && !isVoid.has(number)) };
  }
  /* What a record is worth in which nothing fails: whoever holds the secret can make another one that agrees with itself. */
  function witnessed(proof, given) {
    const last = proof.rounds.length, kept = (given.chains || []).map(([number]) => number), reached = kept.length ? Math.max(...kept) : null;
    if (given.commitment && reached === last) return { verdict: PROVEN, reason: [] };
    if (given.commitment && reached !== null) return { verdict: PARTLY, reason: ['upTo', { round: reached, from: reached + 1, last }] };
    if (reached !== null) return { verdict: AGREES, reason: ['chainsOnly', {}] };
    return { verdict: AGREES, reason: given.commitment ? ['commitmentOnly', {}] : ['itselfOnly', { commitment: proof.commitment }] };
  }

  /* data: text or bytes of a record. given: { commitment, chains: [[round, hex]], receipts: [[round, seat, hex]] }.
     mails: the lines of each, as witness.js reads them; unread: how many more there seem to be. Resolves to { verdict, place, reason, checks, given, withoutReport }, in `given`
     also what the mails say, their number, the `conditions` and what they told was taken back (`tellings`); withoutReport: the rounds of which no mail has a chain value.
     Never rejects for any record. */
  async function verify(data, given = {}, mails = [], unread = 0) {
    const checks = [], told = { ...given };
    try {
      let text = isText(data) ? data.replace(/^\uFEFF/, '') : data;
      if (data.length > 16 * 2 ** 20) fail(['form'], 'json', { what: '16 MiB' });
      if (!isText(data)) { try { text = new TextDecoder('utf-8', { fatal: true }).decode(data); } catch { fail(['form'], 'json', { what: 'UTF-8' }); } }
      return { ...await run(text, given, mails, checks, told, unread), place: [], checks, given: told };
    } catch (error) {
      if (!(error instanceof Stop)) return { verdict: FALSE, place: ['form'], reason: ['json', { what: String(error.message || error) }], checks, given: told };
      return { verdict: error.verdict, place: error.place, reason: error.reason, checks, given: told };
    }
  }
  global.BohnenVerify = { verify, chanceOf, shuffle, stream, masterKey };
})(typeof window === 'undefined' ? globalThis : window);
