/* The rules of the bean duel, written from docs/rules/duel.md, for the check of a record (../verify.js says what it asks of a game). */
(function (global) {
  'use strict';
  const FIELDS = ['A', 'B', 'C'], PRICE = 3;
  /* Cards, and how many beans earn 1, 2, 3, 4 talers. */
  const BEANS = [['coffee', 24, [4, 7, 10, 12]], ['wax', 22, [4, 7, 9, 11]], ['blue', 20, [4, 6, 8, 10]], ['chili', 18, [3, 6, 8, 9]],
    ['stink', 16, [3, 5, 7, 8]], ['green', 14, [3, 5, 6, 7]], ['soy', 12, [2, 4, 6, 7]], ['eyed', 10, [2, 4, 5, 6]], ['red', 8, [2, 3, 4, 5]]];
  const METER = new Map(BEANS.map(([id, , meter]) => [id, meter]));
  const deck = BEANS.map(([id, count]) => [id, count]);

  function houseRules(given) {
    const rules = { start: 1, three_fields: false, discard: 'after', ...given };
    const fine = [1, 2].includes(rules.start) && typeof rules.three_fields === 'boolean' && ['after', 'either'].includes(rules.discard)
      && Object.keys(rules).length === 3;
    if (!fine) throw new Error('house rules');
    return rules;
  }

  /* ---- the table: hands front first, piles top first ---- */
  const perSeat = (seats, of) => { const all = Object.create(null); seats.forEach((seat, i) => { all[seat] = of(seat, i); }); return all; };  /* a seat may be called __proto__ */
  const changed = (all, seat, value) => Object.assign(Object.create(null), all, { [seat]: value });
  async function setUp(cards, rules, seats, chance) {
    const order = await chance('deck/main/0', cards.length), pile = order.map((n) => cards[n]);
    const hands = perSeat(seats, (_, place) => pile.slice(0, 10).filter((_card, i) => i % 2 === (place + rules.start - 1) % 2));
    const farms = perSeat(seats, () => ({ fields: Array(rules.three_fields ? 3 : 2).fill(null), talers: 0 }));
    return { rules, seats, turn: 1, phase: 1, pile: pile.slice(10), hands, offer: [], row: [], discard: [], farms, over: false };
  }
  const active = (table) => table.seats[(table.turn + table.rules.start) % 2];
  const awaited = (table) => (table.over ? [] : [active(table)]);

  /* ---- a list, word by word ---- */
  const word = (order, after = /^$/) => {
    const m = /^(?:([1-9]\d{0,5})>([ABC])|D([1-9]\d{0,5})|(D?)([a-z]+)(?:x([1-9]\d{0,5}))?(?:>([ABC])(!?))?|H([ABC]))$/.exec(order);
    if (after.test(order)) return { kind: order };
    if (!m) throw new Error('word');
    if (m[1]) return { kind: 'hand', card: Number(m[1]), field: FIELDS.indexOf(m[2]) };
    if (m[3]) return { kind: 'drop', card: Number(m[3]) };
    if (m[9]) return { kind: 'harvest', field: FIELDS.indexOf(m[9]) };
    if (!METER.has(m[5]) || (m[4] && m[7])) throw new Error('word');
    return { kind: m[4] ? 'lay' : 'take', bean: m[5], cards: m[6] ? Number(m[6]) : 0, field: m[7] ? FIELDS.indexOf(m[7]) : -1, clear: m[8] === '!' };
  };
  const earns = ([bean, count]) => METER.get(bean).filter((needed) => count >= needed).length;

  /* One seat's list on its way: every step throws what is not allowed and changes nothing then. */
  class List {
    constructor(table, seat) {
      Object.assign(this, { table, seat, talers: table.farms[seat].talers, fields: table.farms[seat].fields.map((field) => field && [...field]) });
      Object.assign(this, { lying: (table.phase === 1 ? table.offer : table.row).map(([bean, count]) => [bean, count]), discard: [...table.discard] });
      Object.assign(this, { hand: table.hands[seat].map((bean, i) => [i + 1, bean]), planted: 0, dropped: false, past: false, done: [] });
    }
    fail(unless) { if (!unless) throw new Error('not allowed'); }
    lies(bean) { return this.lying.find(([other]) => other === bean) || ['', 0]; }
    mayHarvest(at) { const field = this.fields[at]; return field && (field[1] > 1 || this.fields.every((other) => !other || other[1] === 1)); }
    harvest(at) {
      this.fail(this.mayHarvest(at));
      const [bean, count] = this.fields[at], talers = earns(this.fields[at]);
      this.discard.unshift(...Array(count - talers).fill(bean));
      this.talers += talers;
      this.fields[at] = null;
      this.done.push({ text: `H${FIELDS[at]}` });
    }
    spot(bean, at, clear) {
      if (at < 0) {
        at = this.fields.findIndex((field) => field && field[0] === bean);
        if (at < 0) at = this.fields.indexOf(null);
      }
      this.fail(at >= 0 && at < this.fields.length);
      const there = this.fields[at];
      this.fail(!there || there[0] === bean || (clear && this.mayHarvest(at)));
      return at;
    }
    plant(bean, cards, at) {
      if (this.fields[at] && this.fields[at][0] !== bean) this.harvest(at);
      this.fields[at] = [bean, cards + (this.fields[at] ? this.fields[at][1] : 0)];
    }
    /* Neighbouring cards of one variety that go to one place are one order. */
    say(kind, bean, cards, at) {
      const last = this.done[this.done.length - 1];
      if (last && last.kind === kind && last.bean === bean && last.at === at) last.cards += cards;
      else this.done.push({ kind, bean, cards, at, lying: this.lies(bean)[1] });
      this.lies(bean)[1] -= cards;
    }
    take({ bean, cards, field, clear }) {
      const number = cards || this.lies(bean)[1];
      this.fail(!(this.table.phase === 1 && this.past) && number > 0 && number <= this.lies(bean)[1]);
      const at = this.spot(bean, field, clear);
      if (this.fields[at] && this.fields[at][0] !== bean) this.harvest(at);
      this.say('take', bean, number, at);
      this.plant(bean, number, at);
    }
    lay({ bean, cards }) {
      const number = cards || this.lies(bean)[1];
      this.fail(this.table.phase === 1 && !this.past && number > 0 && number <= this.lies(bean)[1]);
      this.say('lay', bean, number, -1);
      this.discard.unshift(...Array(number).fill(bean));
    }
    endOfOffer() {
      if (this.table.phase === 1 && !this.past) this.lying.filter(([, count]) => count).forEach(([bean]) => this.lay({ bean, cards: 0 }));
      this.past = true;
    }
    fromHand({ card, field }) {
      this.fail(this.table.phase === 1 && this.planted < 2 && (!this.dropped || this.table.rules.discard === 'either') && this.hand.length && this.hand[0][0] === card);
      const at = this.spot(this.hand[0][1], field, false);
      this.endOfOffer();
      this.plant(this.hand.shift()[1], 1, at);
      this.planted++;
      this.done.push({ text: `${card}>${FIELDS[at]}` });
    }
    drop({ card }) {
      const place = this.hand.findIndex(([number]) => number === card);
      this.fail(this.table.phase === 1 && !this.dropped && place >= 0 && (this.planted || this.table.rules.discard === 'either'));
      this.endOfOffer();
      this.discard.unshift(this.hand.splice(place, 1)[0][1]);
      this.dropped = true;
      this.done.push({ text: `D${card}` });
    }
    buy() {
      this.fail(this.fields.length === 2 && this.talers >= PRICE);
      this.talers -= PRICE;
      this.fields.push(null);
      this.done.push({ text: 'buy' });
    }
    /* The lowest field that grows the variety and is not full; are all full, the lowest is harvested and planted anew. */
    grow(bean, plant) {
      const grown = FIELDS.map((_, i) => i).filter((i) => this.fields[i] && this.fields[i][0] === bean);
      if (!grown.length) return false;
      const free = grown.find((i) => this.fields[i][1] < METER.get(bean)[3]), at = free === undefined ? grown[0] : free;
      if (free === undefined) this.harvest(at);
      plant(at);
      return true;
    }
    match() { this.lying.forEach(([bean, count]) => { for (; count; count--) this.grow(bean, (field) => this.take({ bean, cards: 1, field })); }); }
    order(order) {
      const { kind } = order;
      if (kind === 'hand') this.fromHand(order);
      else if (kind === 'harvest') this.harvest(order.field);
      else this[kind](order);
    }
    /* An order of a plan: as far as it goes. */
    attempt(order) {
      const saved = { talers: this.talers, fields: this.fields.map((field) => field && [...field]), discard: [...this.discard], done: [...this.done] };
      const cards = order.cards ? Math.min(order.cards, this.lies(order.bean)[1]) : 0;
      if (order.cards && !cards) return;
      try { this.order({ ...order, cards }); } catch (error) { Object.assign(this, saved); }
    }
    words() { return this.done.map(({ text, kind, bean, cards, at, lying }) => text || `${kind === 'lay' ? 'D' : ''}${bean}${cards === lying ? '' : `x${cards}`}${kind === 'take' ? `>${FIELDS[at]}` : ''}`); }
  }

  /* ---- orders: the words of a list, exact ones as they are carried out ---- */
  function readOrders(table, seat, text) {
    if (text === 'resign') return ['resign'];
    const words = text === 'pass' ? [] : text.split(' '), then = words.indexOf('then');
    const exact = then < 0 ? words : words.slice(0, then), plan = then < 0 ? [] : words.slice(then + 1), list = new List(table, seat);
    exact.forEach((order) => list.order(word(order, /^buy$/)));
    list.endOfOffer();
    if (table.phase === 1 && !list.planted && list.hand.length) throw new Error('hand');
    if (then < 0) return list.words();
    if (table.phase !== 1 || !plan.length) throw new Error('then');
    if (plan.join() !== 'pass') plan.forEach(planned);
    return [...list.words(), 'then', ...(plan.join() === 'pass' ? [] : plan)];
  }
  const planned = (order) => {
    const found = word(order, /^(?:buy|match)$/);
    if (!['take', 'harvest', 'buy', 'match'].includes(found.kind)) throw new Error('plan');
    return found;
  };
  const writeOrders = (_, words) => words.join(' ') + (words.length && words[words.length - 1] !== 'then' ? '' : words.length ? ' pass' : 'pass');
  /* Nobody sent anything: the whole turn, or after the reveal what matches. */
  function standIn(table, seat) {
    const list = new List(table, seat);
    if (table.phase === 2) {
      list.match();
      return list.words();
    }
    table.offer.forEach(([bean, count]) => {
      for (; count; count--) if (!list.grow(bean, (field) => list.take({ bean, cards: 1, field }))) list.lay({ bean, cards: 1 });
    });
    table.hands[seat].slice(0, 2).forEach((bean, i) => {
      const card = i + 1;
      if (list.grow(bean, (field) => list.fromHand({ card, field })) || i) return;
      let at = list.fields.indexOf(null);
      if (at < 0) {
        const worth = (j) => earns(list.fields[j]) * 1000 + list.fields[j][1];
        at = list.fields.map((_, j) => j).filter((j) => list.mayHarvest(j)).reduce((best, j) => (worth(j) > worth(best) ? j : best));
        list.harvest(at);
      }
      list.fromHand({ card, field: at });
    });
    return [...list.words(), 'then', 'match'];
  }

  /* ---- a round ---- */
  function after(table, list) {
    const farm = { fields: list.fields, talers: list.talers }, lying = list.lying.filter(([, count]) => count);
    return { ...table, farms: changed(table.farms, list.seat, farm), hands: changed(table.hands, list.seat, list.hand.map(([, bean]) => bean)),
      discard: list.discard, [table.phase === 1 ? 'offer' : 'row']: lying };
  }
  function reveal(table) {
    const shown = table.pile.slice(0, 3), pile = table.pile.slice(3);
    let cascade = 0;
    while (cascade < table.discard.length && shown.includes(table.discard[cascade])) cascade++;
    const cards = [...shown, ...table.discard.slice(0, cascade)];
    const row = [...new Set(shown)].map((bean) => [bean, cards.filter((card) => card === bean).length]);
    return { ...table, phase: 2, row, pile, discard: table.discard.slice(cascade), over: !pile.length };
  }
  function endTurn(table, seat) {
    const drawn = table.pile.slice(0, 2), pile = table.pile.slice(2), over = !pile.length;
    const hands = changed(table.hands, seat, [...table.hands[seat], ...drawn]);
    return { ...table, offer: table.row, row: [], pile, hands, over, turn: table.turn + (over ? 0 : 1), phase: over ? 2 : 1 };
  }
  function adjudicate(table, lists) {
    const seat = active(table), sent = lists[seat], words = sent || standIn(table, seat), absent = sent === null;
    if (words[0] === 'resign') return [{ ...table, over: true }, { played: 'resign', absent, row: table.phase === 2 ? table.row : [], left: null }];
    const then = words.indexOf('then'), exact = new List(table, seat);
    (then < 0 ? words : words.slice(0, then)).forEach((order) => exact.order(word(order, /^buy$/)));
    let next = after(table, exact), row = table.row, said = exact.words(), left = null;
    if (table.phase === 1) {
      next = reveal(next);
      row = next.row;
      if (then >= 0 && !next.over) {
        const plan = new List(next, seat);
        words.slice(then + 1).map(planned).forEach((order) => plan.attempt(order));
        next = after(next, plan);
        said = [...said, 'then', ...plan.words()];
      }
    }
    if (table.phase === 2 || (then >= 0 && !next.over)) {
      left = next.row;
      next = endTurn(next, seat);
    }
    return [next, { played: writeOrders(table, said), absent, row, left }];
  }
  function tell(before, events, next) {
    const seat = active(before), farms = perSeat(before.seats, (one) => ({ ...next.farms[one] }));
    Object.assign(farms[seat], { orders: events.played, absent: events.absent });
    return { turn: before.turn, phase: before.phase, seat, offer: before.phase === 1 ? before.offer : [], discard: before.discard,
      draw_pile: before.pile.length, row: events.row, farms, left: events.left };
  }

  (global.BohnenGames ??= Object.create(null)).duel = { deck, seats: [2, 2], houseRules, setUp, awaited, readOrders, writeOrders, adjudicate, tell };
})(typeof window === 'undefined' ? globalThis : window);
