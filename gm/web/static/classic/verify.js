/* The rules of the classic game, written from docs/rules/classic.md, for the check of a record (../verify.js says what it asks of a game).
   A number like K31 is a ruling there. */
(function (global) {
  'use strict';
  const FIELDS = ['A', 'B', 'C'], OPENED = 2, MOST_CARDS = 3, MOST_DEALS = 100, MOST_ORDERS = 400, MOST_CHARACTERS = 4000;
  /* Cards, and how many beans earn 1, 2, 3, 4 talers; 0: there is no such tier (K2). */
  const BEANS = [['coffee', 24, [4, 7, 10, 12]], ['wax', 22, [4, 7, 9, 11]], ['blue', 20, [4, 6, 8, 10]], ['chili', 18, [3, 6, 8, 9]],
    ['stink', 16, [3, 5, 7, 8]], ['green', 14, [3, 5, 6, 7]], ['soy', 12, [2, 4, 6, 7]], ['eyed', 10, [2, 4, 5, 6]],
    ['red', 8, [2, 3, 4, 5]], ['garden', 6, [0, 2, 3, 0]], ['cocoa', 4, [0, 2, 3, 4]]];
  const METER = new Map(BEANS.map(([id, , meter]) => [id, meter]));
  const deck = BEANS.map(([id, count]) => [id, count]);
  /* What hangs on how many play (1.1). */
  const SIZES = {
    3: { out: ['cocoa'], fields: 3, price: 0, draws: 3, runs: 2 },
    4: { out: ['coffee'], fields: 2, price: 3, draws: 3, runs: 3 },
    6: { out: ['cocoa', 'garden'], fields: 2, price: 2, draws: 4, runs: 3 },
  };
  [SIZES[5], SIZES[7]] = [SIZES[4], SIZES[6]];
  const deckFor = (all, players) => all.filter(([id]) => !SIZES[players].out.includes(id));

  function houseRules(given) {
    const rules = { turns: 'together', calls: 2, tie: 'hand', ...given };
    const fine = ['together', 'single'].includes(rules.turns) && [1, 2].includes(rules.calls) && ['hand', 'far'].includes(rules.tie)
      && Object.keys(rules).length === 3;
    if (!fine) throw new Error('house rules');
    return rules;
  }

  /* ---- the table: hands front first, piles top first, coins topmost last; what was traded of the open cards is null ---- */
  const perSeat = (seats, of) => { const all = Object.create(null); seats.forEach((seat, i) => { all[seat] = of(seat, i); }); return all; };  /* a seat may be called __proto__ */
  async function setUp(cards, rules, seats, chance) {
    const order = await chance('deck/main/0', cards.length), size = SIZES[seats.length], ids = [...new Set(cards)];
    const pile = order.map((n) => cards[n]), stairs = rules.turns === 'single' && seats.length > 5;
    const table = { rules, seats, size, ids, pile, turn: 1, phase: 'field', discard: [], piles: 0, runOuts: 0, ending: false, over: false };
    table.hands = perSeat(seats, (_, i) => pile.splice(0, stairs ? Math.min(3 + i, 6) : 5));
    table.farms = perSeat(seats, () => ({ fields: Array(size.fields).fill(null), coins: [] }));
    for (const key of ['open', 'lying', 'received', 'standing']) table[key] = perSeat(seats, () => []);
    return reveal(table, chance);
  }
  const inOrder = ({ seats, turn }) => seats.map((_, i) => seats[(turn - 1 + i) % seats.length]);
  const active = (table) => (table.rules.turns === 'single' ? inOrder(table).slice(0, 1) : inOrder(table));
  const plantsHand = (table, seat) => table.phase === 'field' && active(table).includes(seat);
  const due = (table, seat) => (table.phase === 'call' ? 0 : table.lying[seat].length + (plantsHand(table, seat) && table.hands[seat].length ? 1 : 0));
  const trades = (table, seat) => table.phase !== 'last' && (table.hands[seat].length || table.open[seat].some((card) => card));
  const awaited = (table) => (table.over ? [] : table.seats.filter((seat) => due(table, seat) || (trades(table, seat) && !table.standing[seat].length)));
  const mayOrder = (table) => (table.over ? [] : table.seats);
  const inBaseOrder = (table, cards) => table.ids.flatMap((id) => cards.filter((card) => card === id));
  const need = (right, what) => { if (!right) throw new Error(what); };

  /* ---- field work (1.3): every step throws what is not allowed and changes nothing then ---- */
  const earns = ([bean, count]) => METER.get(bean).reduce((most, needed, i) => (needed && needed <= count ? i + 1 : most), 0);
  class List {
    constructor(table, seat) {
      const { fields, coins } = table.farms[seat];
      Object.assign(this, { table, seat, fields: fields.map((field) => field && [...field]), coins: [...coins], discard: [], planted: [], done: [] });
    }
    card(name) { return name[0] === 'h' ? this.table.hands[this.seat][name.slice(1) - 1] : this.table.lying[this.seat][name - 1]; }
    lying() { return this.table.lying[this.seat].map((_, i) => String(i + 1)).filter((name) => !this.planted.includes(name)); }
    due() { return this.lying().length + (plantsHand(this.table, this.seat) && this.card('h1') && !this.planted.includes('h1') ? 1 : 0); }
    plant(name, at) {
      const card = this.card(name), there = this.fields[at];
      need(card && !this.planted.includes(name) && at >= 0 && at < this.fields.length && (!there || there[0] === card), 'plant');
      if (name[0] === 'h') {
        need(plantsHand(this.table, this.seat) && !this.lying().length && (name === 'h1' || (name === 'h2' && this.planted.includes('h1'))), 'hand');
      }
      this.fields[at] = [card, there ? there[1] + 1 : 1];
      this.planted.push(name);
      this.done.push(`${name}>${FIELDS[at]}`);
    }
    mayHarvest(at) { return this.fields[at] && (this.fields[at][1] > 1 || this.fields.every((field) => !field || field[1] === 1)); }
    harvest(at) {
      need(this.mayHarvest(at), 'harvest');
      const [bean, count] = this.fields[at], talers = earns(this.fields[at]);
      this.coins.push(...Array(talers).fill(bean));
      this.discard.push(...Array(count - talers).fill(bean));
      this.fields[at] = null;
      this.done.push(`H${FIELDS[at]}`);
    }
    buy() {
      const { price } = this.table.size;
      need(price && this.fields.length === 2 && this.coins.length >= price, 'buy');
      this.discard.push(...this.coins.splice(-price));
      this.fields.push(null);
      this.done.push('buy');
    }
    order(word) {
      const m = /^(?:(h?[1-9]\d{0,5})>([ABC])|H([ABC])|buy)$/.exec(word);
      need(m && this.table.phase !== 'call', 'word');
      if (m[1]) this.plant(m[1], FIELDS.indexOf(m[2]));
      else if (m[3]) this.harvest(FIELDS.indexOf(m[3]));
      else this.buy();
    }
    /* Where a card goes for which no field is named (K21). */
    spot(card) {
      const grown = this.fields.findIndex((field) => field && field[0] === card);
      return grown < 0 ? this.fields.indexOf(null) : grown;
    }
    /* The stand-in's field work (K46, K47). */
    auto() {
      if (this.table.phase === 'call') return this;
      const hand = plantsHand(this.table, this.seat) ? this.table.hands[this.seat] : [];
      [...this.lying(), ...hand.slice(0, 1).map(() => 'h1')].forEach((name) => {
        if (this.spot(this.card(name)) < 0) {
          const worth = (at) => earns(this.fields[at]) * 1000 + this.fields[at][1], able = [0, 1, 2].filter((at) => this.mayHarvest(at));
          this.harvest(able.reduce((best, at) => (worth(at) > worth(best) ? at : best)));
        }
        this.plant(name, this.spot(this.card(name)));
      });
      const second = this.fields.findIndex((field) => field && field[0] === hand[1]);
      if (second >= 0) this.plant('h2', second);
      return this;
    }
  }

  /* ---- deals (1.4) ---- */
  const isCard = (part) => /\d$/.test(part);
  /* What a seat may trade, by name, in the order in which its cards are taken for a variety (K33). */
  function tradable(table, seat, planted) {
    const open = table.open[seat].map((card, i) => [`r${i + 1}`, card]).filter(([, card]) => card);
    return new Map([...open, ...table.hands[seat].map((card, i) => [`h${i + 1}`, card]).filter(([name]) => !planted.includes(name))]);
  }
  function readSide(table, text) {
    if (text === '0') return [];
    const parts = text.split('+').flatMap((word) => {
      const m = /^(?:([rh][1-9]\d?)|([1-9]?)([a-z]+))$/.exec(word);
      need(m && (m[1] || table.ids.includes(m[3])), 'card');
      return m[1] ? [m[1]] : Array(Number(m[2] || 1)).fill(m[3]);
    });
    need(parts.length <= MOST_CARDS, 'cards');
    const place = (part) => (isCard(part) ? 'rh'.indexOf(part[0]) * 100 + Number(part.slice(1)) : 1000 + table.ids.indexOf(part));
    return parts.sort((one, other) => place(one) - place(other));
  }
  function readDeal(table, seat, cards, keeps, text) {
    const m = /^([a-z\d+]+)=([a-z\d+]+)(?:@([1-9]))?$/.exec(text);
    need(m, 'deal');
    const give = readSide(table, m[1]), get = readSide(table, m[2]), named = give.filter(isCard), partner = Number(m[3] || 0);
    need(!get.some(isCard) && (give.length || get.length) && new Set(named).size === named.length && named.every((name) => cards.has(name)), 'deal');
    if (!keeps || named.length) {
      const held = [...cards].filter(([name]) => !named.includes(name)).map(([, card]) => card);
      give.filter((part) => !isCard(part)).forEach((id) => { need(held.includes(id), 'not yours'); held.splice(held.indexOf(id), 1); });
    }
    need(!give.some((part) => get.includes(cards.get(part) || part)), 'same');
    const other = table.seats[partner - 1], able = active(table);
    need(!partner || (other !== undefined && other !== seat && ((keeps && !named.length) || able.includes(other) || able.includes(seat))), 'partner');
    return { give, get, partner };
  }
  const writeSide = (parts) => [...new Set(parts)].map((part) => {
    const number = parts.filter((other) => other === part).length;
    return number > 1 ? number + part : part;
  }).join('+') || '0';
  const writeDeal = ({ give, get, partner }) => `${writeSide(give)}=${writeSide(get)}${partner ? `@${partner}` : ''}`;

  /* ---- a list: field work, wishes (each its alternatives), whether they stay ---- */
  function readOrders(table, seat, text) {
    need(text.length <= MOST_CHARACTERS, 'characters');
    const words = text === 'pass' ? [] : text.split(' '), keeps = words.includes('keep'), list = new List(table, seat);
    need(words.length <= MOST_ORDERS, 'orders');
    words.filter((word) => word !== 'keep' && !word.includes('=')).forEach((word) => list.order(word));
    need(table.phase === 'call' || !list.due(), 'unplanted');
    const typed = words.filter((word) => word.includes('=')), cards = tradable(table, seat, list.planted);
    need(!typed.length || table.phase !== 'last', 'not now');
    const wishes = typed.map((word) => word.split('|').map((deal) => readDeal(table, seat, cards, keeps, deal)));
    need(wishes.flat().length <= MOST_DEALS, 'deals');
    return { work: list.done, wishes, keeps };
  }
  const writeOrders = (_, { work, wishes, keeps }) => [...work, ...wishes.map((wish) => wish.map(writeDeal).join('|')), ...(keeps ? ['keep'] : [])].join(' ') || 'pass';
  /* Nobody sent anything: the field work of K46 and K47, and the standing deals (K45). */
  function standIn(table, seat) {
    const wishes = table.phase === 'last' ? [] : table.standing[seat];
    return { work: new List(table, seat).auto().done, wishes, keeps: wishes.length > 0 };
  }

  /* ---- the call (1.5) ---- */
  /* The cards that a side means now; null if they are not there. */
  function meant(cards, give) {
    const names = give.filter(isCard), rest = give.filter((part) => !isCard(part));
    if (!names.every((name) => cards.has(name))) return null;
    cards.forEach((card, name) => {
      if (names.includes(name) || !rest.includes(card)) return;
      names.push(name);
      rest.splice(rest.indexOf(card), 1);
    });
    return rest.length ? null : names;
  }
  /* All pairs that fit, in the order in which they are tried (K31): X the seat earlier in round order, i and j the ranks. */
  function pairs(table, order, wishes, cards) {
    const offers = order.map((seat) => wishes[seat].flatMap((wish) => wish.map((deal) => ({ wish, deal }))).map(({ wish, deal }, i) => ({
      seat, wish, deal, rank: i + 1, number: table.seats.indexOf(seat) + 1,
      gives: inBaseOrder(table, deal.give.map((part) => cards[seat].get(part) || part)).join(), gets: deal.get.join(),
    })));
    const able = active(table), found = [];
    const fit = (one, other) => one.gives === other.gets && one.gets === other.gives && (able.includes(one.seat) || able.includes(other.seat))
      && [0, other.number].includes(one.deal.partner) && [0, one.number].includes(other.deal.partner);
    offers.forEach((ones, x) => ones.forEach((one) => offers.slice(x + 1).forEach((others, y) => others.forEach((other) => {
      if (fit(one, other)) found.push({ one, other, by: [one.rank + other.rank, Math.max(one.rank, other.rank), x, y, one.rank] });
    }))));
    const first = (a, b) => a.by.map((n, k) => n - b.by[k]).find((difference) => difference) || 0;
    return found.sort(first);
  }
  /* The trades; what is traded vanishes from `cards`. */
  function call(table, wishes, cards) {
    const used = new Set(), traded = [];
    for (const { one, other } of pairs(table, inOrder(table), wishes, cards)) {
      const sides = [one, other], names = sides.map(({ seat, deal }) => meant(cards[seat], deal.give));
      if (sides.some(({ wish }) => used.has(wish)) || names.includes(null)) continue;
      sides.forEach(({ wish }) => used.add(wish));
      const given = names.map((mine, k) => inBaseOrder(table, mine.map((name) => cards[sides[k].seat].get(name))));
      names.forEach((mine, k) => mine.forEach((name) => cards[sides[k].seat].delete(name)));
      traded.push({ seats: sides.map(({ seat }) => seat), cards: given });
    }
    return traded;
  }

  /* ---- the draw pile (1.6): these change a table that nobody else has yet ---- */
  async function shuffleAgain(table, chance) {
    const cards = inBaseOrder(table, table.discard), order = await chance(`deck/main/${++table.piles}`, cards.length);
    Object.assign(table, { pile: order.map((n) => cards[n]), discard: [] });
  }
  async function take(table, number, chance) {
    const cards = [];
    while (cards.length < number) {
      if (!table.ending && !table.pile.length) {
        if (table.discard.length) await shuffleAgain(table, chance);
        else table.ending = true;
      }
      if (table.ending) break;
      cards.push(table.pile[0]);
      table.pile = table.pile.slice(1);
      if (table.pile.length) continue;
      table.ending = ++table.runOuts >= table.size.runs;
      if (!table.ending && table.discard.length) await shuffleAgain(table, chance);
    }
    return cards;
  }
  async function reveal(table, chance) {
    for (const seat of active(table)) table.open[seat] = await take(table, OPENED, chance);
    return table;
  }
  async function draw(table, chance) {
    for (const seat of active(table)) table.hands[seat] = [...table.hands[seat], ...await take(table, table.size.draws, chance)];
  }

  /* ---- a round ---- */
  async function adjudicate(table, lists, chance) {
    const sent = perSeat(table.seats, (seat) => lists[seat] || standIn(table, seat)), next = { ...table };
    const worked = perSeat(table.seats, (seat) => { const list = new List(table, seat); sent[seat].work.forEach((word) => list.order(word)); return list; });
    next.farms = perSeat(table.seats, (seat) => ({ fields: worked[seat].fields, coins: worked[seat].coins }));
    next.discard = [...table.discard, ...table.seats.flatMap((seat) => worked[seat].discard)];
    next.lying = perSeat(table.seats, () => []);
    const traded = table.phase === 'last' ? [] : called(table, next, sent, worked);
    if (table.phase === 'last') next.over = true;
    else if (table.phase === 'field' && table.rules.calls === 2) next.phase = 'call';
    else await nextTurn(next, chance);
    const absent = table.seats.filter((seat) => lists[seat] === null && due(table, seat));
    return [next, { traded, absent, work: perSeat(table.seats, (seat) => worked[seat].done.join(' ') || 'pass') }];
  }
  function called(table, next, sent, worked) {
    const cards = perSeat(table.seats, (seat) => tradable(table, seat, worked[seat].planted));
    const traded = call(table, perSeat(table.seats, (seat) => sent[seat].wishes), cards);
    next.received = perSeat(table.seats, (seat) => [...table.received[seat], ...traded.flatMap(({ seats, cards: given }) => (seats.includes(seat) ? given[1 - seats.indexOf(seat)] : []))]);
    next.open = perSeat(table.seats, (seat) => table.open[seat].map((_, i) => cards[seat].get(`r${i + 1}`) || null));
    next.hands = perSeat(table.seats, (seat) => table.hands[seat].filter((_, i) => cards[seat].has(`h${i + 1}`)));
    const stays = (wishes) => wishes.map((wish) => wish.filter(({ give }) => !give.some(isCard))).filter((wish) => wish.length);
    next.standing = perSeat(table.seats, (seat) => (sent[seat].keeps ? stays(sent[seat].wishes) : []));
    return traded;
  }
  /* K12; what comes after the last run-out says K42. */
  async function nextTurn(next, chance) {
    next.lying = perSeat(next.seats, (seat) => [...next.open[seat].filter((card) => card), ...next.received[seat]]);
    next.open = perSeat(next.seats, () => []);
    next.received = perSeat(next.seats, () => []);
    next.phase = 'field';
    await draw(next, chance);
    if (!next.ending) {
      next.turn++;
      await reveal(next, chance);
      if (next.seats.some((seat) => next.open[seat].length)) return;
    }
    next.phase = 'last';
    next.standing = perSeat(next.seats, () => []);
    next.over = next.seats.every((seat) => !next.lying[seat].length);
  }
  function tell(before, { traded, absent, work }, after) {
    const counts = Object.fromEntries(before.ids.map((id) => [id, before.discard.filter((card) => card === id).length]));
    return {
      turn: before.turn, phase: before.phase, active: active(before), open: perSeat(active(before), (seat) => before.open[seat].filter((card) => card)),
      discard: counts, draw_pile: before.pile.length, run_outs: before.runOuts, trades: traded,
      farms: perSeat(before.seats, (seat) => ({ fields: after.farms[seat].fields, talers: after.farms[seat].coins.length, lying: after.lying[seat],
        orders: work[seat], absent: absent.includes(seat) })),
    };
  }

  (global.BohnenGames ??= Object.create(null)).classic = {
    deck, deckFor, seats: [3, 7], houseRules, setUp, awaited, mayOrder, readOrders, writeOrders, adjudicate, tell,
  };
})(typeof window === 'undefined' ? globalThis : window);
