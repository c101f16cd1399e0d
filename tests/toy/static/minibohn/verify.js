/* The rules of minibohn, for the check of a record (docs/variants.md says what it asks of a game). */
(function (global) {
  'use strict';
  const BEANS = [['pea', 7], ['lentil', 6], ['lupin', 4], ['vetch', 3]];
  const copy = (of) => Object.assign(Object.create(null), of);  /* a seat may be called __proto__ */
  const perSeat = (seats, of) => { const all = Object.create(null); seats.forEach((seat, i) => { all[seat] = of(seat, i); }); return all; };

  function houseRules(given) {
    const rules = { hand: 3, ...given };
    if (![2, 3, 4].includes(rules.hand) || Object.keys(rules).length !== 1) throw new Error('house rules');
    return rules;
  }

  /* ---- the table: `cards` are all cards as they are drawn, `gone` of them have left the pile ---- */
  async function setUp(deck, rules, seats, chance) {
    const order = await chance('deck/main/0', deck.length), cards = order.map((n) => deck[n]), dealt = 2 * rules.hand;
    const hands = perSeat(seats, (_, place) => cards.slice(0, dealt).filter((_card, i) => i % 2 === place));
    return { seats, round: 1, cards, gone: dealt, hands, revealed: null, discard: [], again: false, farms: perSeat(seats, () => [null, null]) };
  }
  const phase = (table) => 2 - table.round % 2, turn = (table) => Math.floor((table.round + 1) / 2);
  const active = (table) => table.seats[(turn(table) - 1) % 2];
  const awaited = (table) => (table.gone === table.cards.length ? [] : [active(table)]);

  /* ---- orders: numbers of hand cards, 'take', 'leave' ---- */
  function readOrders(table, seat, text) {
    const orders = text === 'pass' ? [] : text.split(' ').map((word) => (/^[1-9]\d{0,5}$/.test(word) ? Number(word) : word));
    if (phase(table) === 2) {
      if (orders.length > 1 || orders.some((order) => order !== 'take' && order !== 'leave')) throw new Error('orders');
      if (!orders.length) orders.push('leave');
    } else if (orders.length > 2 || orders[0] === orders[1] && orders.length === 2 || !orders.every((card) => card <= table.hands[seat].length)) throw new Error('orders');
    if (phase(table) === 1) orders.sort((a, b) => a - b);
    plant(table, seat, orders);
    return orders;
  }
  const writeOrders = (_, orders) => orders.join(' ') || 'pass';
  const spot = (fields, bean) => { const at = fields.findIndex((field) => field && field[0] === bean); return at < 0 ? fields.indexOf(null) : at; };
  const beanOf = (table, seat, order) => (order === 'take' ? table.revealed : table.hands[seat][order - 1]);
  /* The fields after a list. Throws if a card finds none. */
  function plant(table, seat, orders) {
    const fields = [...table.farms[seat]];
    orders.filter((order) => order !== 'leave').forEach((order) => {
      const bean = beanOf(table, seat, order), at = spot(fields, bean);
      if (at < 0) throw new Error('field');
      fields[at] = [bean, (fields[at] ? fields[at][1] : 0) + 1];
    });
    return fields;
  }
  function standIn(table, seat) {
    const fields = table.farms[seat];
    if (phase(table) === 2) return [fields.some((field) => field && field[0] === table.revealed) ? 'take' : 'leave'];
    const card = table.hands[seat].findIndex((bean) => spot(fields, bean) >= 0);
    return card < 0 ? [] : [card + 1];
  }

  /* ---- a round ---- */
  async function adjudicate(table, lists, chance) {
    const seat = active(table), orders = lists[seat] || standIn(table, seat), card = table.cards[table.gone];
    const after = { ...table, round: table.round + 1, gone: table.gone + 1, farms: copy(table.farms), hands: copy(table.hands) };
    after.farms[seat] = plant(table, seat, orders);
    after.hands[seat] = table.hands[seat].filter((_, i) => !orders.includes(i + 1));
    after.revealed = phase(table) === 1 ? card : null;
    if (phase(table) === 2) after.hands[seat].push(card);
    if (orders.includes('leave')) after.discard = [table.revealed, ...table.discard];
    if (after.gone === after.cards.length && after.discard.length && !table.again) {
      const pile = BEANS.flatMap(([id]) => after.discard.filter((bean) => bean === id));
      const order = await chance('deck/main/1', pile.length);
      Object.assign(after, { cards: [...table.cards, ...order.map((n) => pile[n])], discard: [], again: true });
    }
    return [after, { orders, absent: lists[seat] === null && phase(table) === 1 }];
  }
  function tell(before, events, after) {
    return {
      turn: turn(before), phase: phase(before), seat: active(before), absent: events.absent, played: writeOrders(before, events.orders),
      revealed: before.revealed || after.revealed, discard: before.discard, draw_pile: before.cards.length - before.gone,
      hand_cards: perSeat(before.seats, (seat) => before.hands[seat].length), fields: after.farms,
    };
  }

  (global.BohnenGames ??= Object.create(null)).minibohn = {
    deck: BEANS, seats: [2, 2], houseRules, setUp, awaited, readOrders, writeOrders, adjudicate, tell,
  };
})(typeof window === 'undefined' ? globalThis : window);
