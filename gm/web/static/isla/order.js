/* The list of field work, ships and deals, worked out while it is made. A skin over the form, whose controls are all that is sent; the
   server's word counts. What ships find nobody knows, so nothing is said of it. */
(function () {
  'use strict';
  const $ = (id) => document.getElementById(id), form = $('orders'), data = $('game-data'), words = $('game-words');
  if (!form || !data || !words) return;
  const game = JSON.parse(data.textContent), W = JSON.parse(words.textContent), LETTERS = 'ABC', TRADING = ['S', 'T'];
  const tools = window.farmOf(game, W, form), { say, talers, value, copy, begin, brings, icon, made, showHints, showFarm, startFrom } = tools;
  const { cardName, showDeals, showList } = window.dealsOf(game, W, form, tools, () => render());
  const rows = [...form.querySelectorAll('.pickrow')];
  const worth = (b, n) => game.meters[b].reduce((paid, need, i) => (need && n >= need ? i + 1 : paid), 0);

  /* ---- what comes of the list ---- */
  function work() {
    const { farm, steps, wrong, plant, refuse } = begin(), before = {}, planted = new Set(), text = [];
    const ships = Object.fromEntries(Object.entries(game.ships).map(([s, load]) => [s, load && [...load]]));
    forgetShips();
    const choices = ['field_A', 'field_B', 'field_C', 'ship_S', 'ship_T', 'ship_X'].map((name) => [name, value(name)]).filter(([, way]) => way);
    function join(ship, b, n, name, says) {
      if (!(ship in ships)) return false;
      if (ships[ship] && ships[ship][0] !== b) { refuse(say(W.cargo, { s: ship, b: W.short[ships[ship][0]] }), '', name); return false; }
      ships[ship] = [b, n + (ships[ship] ? ships[ship][1] : 0)];
      steps.push({ says, icon: b });
      return true;
    }
    const beans = ([name, way]) => (name[0] === 'f' && game.fields[LETTERS.indexOf(way[1])]?.[1]) || 0;
    choices.filter(([, way]) => way[0] === 'H').sort((a, b) => beans(b) - beans(a)).forEach(([name, way]) => {
      text.push(way);
      const load = name[0] === 's' && ships[way[1]];
      if (!load) return;
      const [b, n] = load, paid = worth(b, n);
      ships[way[1]] = null; farm.talers += paid;
      steps.push({ says: say(W.sells, { f: way[1], n, b: W.short[b] }), paid, icon: 'taler' });
    });
    ['C', 'T', 'X'].filter((what) => value(`buy_${what}`)).forEach((what) => {
      const price = game.prices[what];
      text.push(`buy ${what}`);
      if (farm.talers < price) { refuse(say(W.too_poor, { f: what, n: talers(price) }), '', `buy_${what}`); return; }
      farm.talers -= price;
      if (what === 'C') farm.fields.push(null); else ships[what] = null;
      steps.push({ says: say(W.buys, { f: what }), paid: -price, icon: 'taler' });
    });
    choices.filter(([, way]) => way[0] !== 'H').reverse().forEach(([name, to]) => {
      const from = name.slice(-1), i = LETTERS.indexOf(from), isShip = name[0] === 's', [b, n] = (isShip ? ships[from] : farm.fields[i]) || [];
      text.push(`${from}>${to}`);
      if (!b || !join(to, b, n, name, say(isShip ? W.moves : W.loads, { f: from, s: to, n, b: W.short[b] }))) return;
      if (isShip) ships[from] = null; else farm.fields[i] = null;
    });
    rows.forEach((row) => {
      const { name } = row.dataset, label = name.slice('plant_'.length), to = value(name), i = LETTERS.indexOf(to);
      before[name] = copy(farm);
      if (!to) return;
      if (label === 'h2' && !planted.has('h1')) refuse(W.order, '', name);
      if (farm.fields[i] && farm.fields[i][0] !== row.dataset.bean) text.push(`H${to}`);
      plant(row.dataset.bean, 1, to, say(W.plant, { card: cardName(label), b: W.short[row.dataset.bean], f: to }), name);
      planted.add(label); text.push(`${label}>${to}`);
    });
    sea(ships, steps, text, refuse);
    return { farm, ships, steps, wrong, before, planted, text, missing: game.due.filter((label) => !planted.has(label)) };
  }
  /* A ship that is not bought after all takes nothing. */
  function forgetShips() {
    TRADING.filter((s) => !(s in game.ships) && !value(`buy_${s}`)).forEach((s) => form.querySelectorAll(`[id^=field_] [value=${s}]:checked, [id^=ship_] [value=${s}]:checked`).forEach((input) => {
      form.querySelector(`[name=${input.name}][value=""]`).checked = true;
    }));
  }
  function goal(name) {
    const chip = form.querySelector(`[name="${name}"]:checked`);
    return chip && chip.value ? chip.nextElementSibling.textContent : '';
  }
  /* What a ship takes if the first is gone: of the same harbour, and only if it is empty. */
  function second(ships, s) {
    const [harbour, bean] = value(`sail_${s}`).split(':'), other = value(`else_${s}`);
    return !ships[s] && other && other !== bean && game.lies[harbour]?.[other] ? other : '';
  }
  function sea(ships, steps, text, refuse) {
    TRADING.filter((s) => s in ships && goal(`sail_${s}`)).forEach((s) => {
      const other = second(ships, s), load = ships[s];
      if (load && load[0] !== value(`sail_${s}`).split(':')[1]) refuse(say(W.cargo, { s, b: W.short[load[0]] }), '', `sail_${s}`);
      steps.push({ says: say(W.sails, { s, goal: goal(`sail_${s}`) + (other ? W.or + W.short[other] : '') }), isPale: true });
      text.push(`${s}>${value(`sail_${s}`)}${other ? `|${other}` : ''}`);
    });
    if ('X' in ships && goal('raid')) {
      const only = ships.X ? ships.X[0] : value('only');
      steps.push({ says: say(only ? W.raids_only : W.raids, { goal: goal('raid'), b: W.short[only] }), isPale: true });
      text.push(`X>${value('raid')}${only ? `:${only}` : ''}`);
    }
    if (value('hold')) { steps.push({ says: W.holds, isPale: true }); text.push('hold'); }
  }

  /* ---- the page ---- */
  /* What can't be is out of sight, and not sent. */
  function show(id, isThere) {
    const box = $(id);
    if (!box) return;
    box.hidden = !isThere;
    box.querySelectorAll('input, select').forEach((control) => { control.disabled = !isThere; });
  }
  function showShips(ships) {
    form.querySelectorAll('[id^=field_] .cp, [id^=ship_] .cp').forEach((chip) => {
      const input = chip.querySelector('input'), to = input.value, from = input.name.slice(-1), load = ships[to];
      const [bean] = (input.name[0] === 's' ? game.ships[from] : game.fields[LETTERS.indexOf(from)]) || [];
      chip.classList.toggle('no', !input.checked && TRADING.includes(to) && (!(to in ships) || Boolean(load && load[0] !== bean)));
    });
    TRADING.forEach((s) => {
      show(`sail_${s}`, s in ships);
      form.querySelectorAll(`#sail_${s} .cp`).forEach((chip) => {
        const bean = chip.dataset.v.split(':')[1], load = ships[s];
        chip.classList.toggle('no', Boolean(bean && load && load[0] !== bean && !chip.querySelector('input').checked));
      });
      const [harbour, bean] = value(`sail_${s}`).split(':');
      form.querySelectorAll(`#else_${s} option`).forEach((one) => { one.hidden = one.disabled = Boolean(one.value) && (one.value === bean || !game.lies[harbour]?.[one.value]); });
      show(`else_${s}`, s in ships && !ships[s] && Boolean(harbour));
    });
    show('raid', 'X' in ships);
    show('only', 'X' in ships && !ships.X && Boolean(goal('raid')));
    if ($('held')) $('held').textContent = TRADING.filter((s) => ships[s] && worth(...ships[s])).map((s) => say(W.held_now, { s, talers: talers(worth(...ships[s])), n: ships[s][1] - 1 })).join(' ');
    $('ships').querySelector('.ships').replaceChildren(...Object.entries(ships).map(([s, load]) => {
      const box = made('div', ''), [b, n] = load || [];
      box.append(made('b', s), ` ${s === 'X' ? W.pirates : W.trading} `);
      if (!load) box.append(made('span', W.empty, 'muted'));
      else box.append(icon(b), ` ${n} ${W.short[b]}`, made('br', ''), made('span', s === 'X' ? '' : [`= ${talers(worth(b, n))}`, brings(b, n)].filter(Boolean).join('; '), 'muted'));
      return box;
    }));
  }
  function render() {
    const now = work(), { farm } = now;
    showDeals(now.planted, new Map(farm.fields.filter(Boolean).map(([b, n]) => [b, brings(b, n)])));
    showHints(now.before); showFarm(farm); showShips(now.ships);
    return showList({ ...now, talers: farm.talers });
  }
  form.addEventListener('input', () => render());
  if ($('like-nmr')) $('like-nmr').addEventListener('click', () => startFrom(game.absent, /^(field_|ship_|buy_|sail_|else_|raid|only|hold|plant_|want_|take_|special|keep|pass|text)/));
  document.documentElement.classList.add('js');
  render();
})();
