/* The rules of the postal game, written from docs/rules/postal.md, for the check of a record (../verify.js says what it asks of a game). */
(function (global) {
  'use strict';
  const ROW = 8, FEE = 3, FIELDS = ['A', 'B', 'C'];
  /* Cards, and how many beans earn 1, 2, 3, 4 talers (0: no such tier). */
  const BEANS = [['princess', 6, [0, 2, 3, 4]], ['mung', 8, [2, 3, 4, 5]], ['broad', 10, [2, 4, 5, 6]], ['magic', 12, [3, 4, 5, 6]],
    ['climbing', 14, [3, 5, 6, 7]], ['bush', 16, [3, 5, 7, 8]], ['snake', 16, [4, 5, 6, 7]], ['snap', 18, [3, 6, 8, 9]]];
  const METER = Object.fromEntries(BEANS.map(([id, , meter]) => [id, meter]));
  const deck = BEANS.map(([id, count]) => [id, count]);

  function houseRules(given) {
    const rules = { rounds: 10, discard_order: 'ascending', nmr_empty: false, nmr_harvest: 'eager', ...given };
    const fine = Number.isInteger(rules.rounds) && rules.rounds >= 1 && rules.rounds <= 12 && ['ascending', 'descending'].includes(rules.discard_order)
      && typeof rules.nmr_empty === 'boolean' && ['eager', 'lazy'].includes(rules.nmr_harvest) && Object.keys(rules).length === 4;
    if (!fine) throw new Error('house rules');
    return rules;
  }

  /* ---- the table ---- */
  const earns = (bean, count) => METER[bean].reduce((talers, needed, i) => (needed && count >= needed ? i + 1 : talers), 0);
  const isFull = (field) => field && field[1] >= METER[field[0]][3];
  const growing = (farm, bean) => farm.fields.findIndex((field) => field && field[0] === bean);
  const perSeat = (seats, of) => { const all = Object.create(null); seats.forEach((seat) => { all[seat] = of(seat); }); return all; };  /* a seat may be called __proto__ */

  function deal(pile, discard) {
    const row = pile.slice(0, ROW).map((bean) => [bean, 1]);
    let lying = discard;
    for (let at; lying.length && (at = row.findIndex(([bean]) => bean === lying[0])) >= 0; lying = lying.slice(1)) row[at][1]++;
    return { row, pile: pile.slice(ROW), discard: lying };
  }
  async function setUp(cards, rules, seats, chance) {
    const order = await chance('deck/main/0', cards.length);
    return { rules, seats, round: 1, ...deal(order.map((n) => cards[n]), []), farms: perSeat(seats, () => ({ fields: [null, null, null], talers: 0 })) };
  }
  const awaited = (table) => (table.round > table.rules.rounds ? [] : table.seats);

  /* ---- orders ---- */
  function parse(text) {
    if (text === 'pass') return [];
    return text.split(' ').map((order) => {
      const plant = /^([1-9]\d{0,3})(?:x([1-9]\d{0,3}))?>([ABC])$/.exec(order), clear = /^([HP])([ABC])$/.exec(order);
      if (plant) return { kind: 'plant', position: Number(plant[1]), cards: plant[2] ? Number(plant[2]) : 0, field: plant[3] };
      if (clear) return { kind: clear[1], field: clear[2] };
      throw new Error('word');
    });
  }
  /* One farm's list: the farm after it, the cards used of each position, the orders with every number said and neighbours put
     together. Throws a word for what is not allowed. */
  function carryOut(row, start, orders) {
    const farm = { fields: start.fields.map((field) => field && [...field]), talers: start.talers }, used = row.map(() => 0), done = [];
    let last = 0;
    for (const order of orders) {
      const at = FIELDS.indexOf(order.field), there = farm.fields[at];
      if (order.kind === 'plant') {
        const stack = row[order.position - 1];
        if (!stack || order.position < last) throw new Error('position');
        const left = stack[1] - used[order.position - 1], cards = order.cards || left, elsewhere = growing(farm, stack[0]);
        if (cards < 1 || cards > left) throw new Error('cards');
        if ((elsewhere >= 0 && elsewhere !== at) || (there && there[0] !== stack[0])) throw new Error('field');
        farm.fields[at] = [stack[0], cards + (there ? there[1] : 0)];
        used[order.position - 1] += cards;
        last = order.position;
        const before = done[done.length - 1];
        if (before && before.kind === 'plant' && before.position === order.position && before.field === order.field) before.cards += cards;
        else done.push({ ...order, cards });
      } else {
        if (!there) throw new Error('empty');
        const talers = earns(...there);
        if (order.kind === 'H' ? !talers : talers || farm.talers < FEE) throw new Error('clearing');
        farm.talers += order.kind === 'H' ? talers : -FEE;
        farm.fields[at] = null;
        done.push(order);
      }
    }
    return { farm, used, orders: done };
  }
  const readOrders = (table, seat, text) => carryOut(table.row, table.farms[seat], parse(text)).orders;
  function writeOrders(table, orders) {
    const taken = table.row.map(() => 0);
    return orders.map((order) => {
      if (order.kind !== 'plant') return order.kind + order.field;
      taken[order.position - 1] += order.cards;
      return `${order.position}${taken[order.position - 1] === table.row[order.position - 1][1] ? '' : `x${order.cards}`}>${order.field}`;
    }).join(' ') || 'pass';
  }
  /* Nobody sent anything: plant what grows, harvest what is full, let the next possible bean follow. */
  function standIn(row, start, rules) {
    const fields = start.fields.map((field) => field && [...field]), eager = rules.nmr_harvest === 'eager', orders = [];
    let waiting = rules.nmr_empty ? [0, 1, 2].filter((i) => !fields[i]) : [];
    const harvest = (i) => { fields[i] = null; orders.push({ kind: 'H', field: FIELDS[i] }); waiting = [...waiting, i].sort(); };
    if (eager) [0, 1, 2].forEach((i) => { if (isFull(fields[i])) harvest(i); });
    row.forEach(([bean, count], index) => {
      for (let card = 0; card < count; card++) {
        let at = growing({ fields }, bean);
        if (at >= 0 && isFull(fields[at])) harvest(at);
        if (at < 0 || waiting.includes(at)) {
          if (at < 0) at = waiting.length ? waiting[0] : -1;
          if (at < 0) continue;
          waiting = waiting.filter((i) => i !== at);
        }
        fields[at] = [bean, 1 + (fields[at] ? fields[at][1] : 0)];
        orders.push({ kind: 'plant', position: index + 1, cards: 1, field: FIELDS[at] });
        if (eager && isFull(fields[at])) harvest(at);
      }
    });
    return orders;
  }

  /* ---- a round ---- */
  /* Events: per seat what was carried out and whether nothing had come; the cards nobody used, as they were laid down. */
  function adjudicate(table, orders) {
    const { row, rules } = table, used = row.map(() => 0);
    const played = perSeat(table.seats, (seat) => carryOut(row, table.farms[seat], orders[seat] || standIn(row, table.farms[seat], rules)));
    table.seats.forEach((seat) => played[seat].used.forEach((cards, i) => { used[i] = Math.max(used[i], cards); }));
    const unused = row.flatMap(([bean, cards], i) => Array(cards - used[i]).fill(bean));
    if (rules.discard_order === 'descending') unused.reverse();
    const discard = [...unused].reverse().concat(table.discard);
    const next = table.round < rules.rounds ? deal(table.pile, discard) : { row: [], pile: table.pile, discard };
    const lists = perSeat(table.seats, (seat) => ({ orders: played[seat].orders, absent: orders[seat] === null }));
    return [{ rules, seats: table.seats, round: table.round + 1, ...next, farms: perSeat(table.seats, (seat) => played[seat].farm) }, { lists, unused }];
  }
  function tell(before, events, after) {
    const farms = perSeat(before.seats, (seat) => {
      const { orders, absent } = events.lists[seat];
      return { ...after.farms[seat], orders: writeOrders(before, orders), absent };
    });
    const counts = Object.fromEntries(deck.map(([id]) => [id, before.pile.filter((card) => card === id).length]));
    return { row: before.row, discard: before.discard, draw_pile: counts, farms, unused: events.unused };
  }

  (global.BohnenGames ??= Object.create(null)).postal = { deck, houseRules, setUp, awaited, readOrders, writeOrders, adjudicate, tell };
})(typeof window === 'undefined' ? globalThis : window);
