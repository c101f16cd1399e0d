/* The list of field work and deals, worked out while it is made. A skin over the form: chips write its numbers, which are all that is
   sent, and the server's word counts. */
(function () {
  'use strict';
  const $ = (id) => document.getElementById(id), form = $('orders'), data = $('game-data'), words = $('game-words');
  if (!form || !data || !words) return;
  const game = JSON.parse(data.textContent), W = JSON.parse(words.textContent);
  const tools = window.farmOf(game, W, form), { say, value, copy, begin, brings, showHints, showFarm, startFrom } = tools;
  const { cardName, showDeals, showList } = window.dealsOf(game, W, form, tools, () => render());
  const rows = [...form.querySelectorAll('.pickrow')];

  /* ---- what comes of the list ---- */
  function work() {
    const { farm, steps, wrong, plant, refuse } = begin(), before = {}, planted = new Set();
    rows.forEach((row) => {
      const { name } = row.dataset, label = name.slice('plant_'.length), to = value(name);
      before[name] = copy(farm);
      if (!to) return;
      if (label === 'h2' && !planted.has('h1')) refuse(W.order, '', name);
      plant(row.dataset.bean, 1, to, say(W.plant, { card: cardName(label), b: W.short[row.dataset.bean], f: to }), name);
      planted.add(label);
    });
    return { farm, steps, wrong, before, planted, missing: game.due.filter((label) => !planted.has(label)) };
  }
  function fieldWork(now) {
    const text = [], farm = { fields: game.fields.map((f) => f && f[0]) };
    new FormData(form).getAll('first').forEach((h) => { text.push(h); farm.fields['ABC'.indexOf(h[1])] = null; });
    if (value('buy')) { text.push('buy'); farm.fields.push(null); }
    rows.filter((row) => now.planted.has(row.dataset.name.slice(6))).forEach((row) => {
      const to = value(row.dataset.name), i = 'ABC'.indexOf(to), b = row.dataset.bean;
      if (farm.fields[i] && farm.fields[i] !== b) text.push(`H${to}`);
      farm.fields[i] = b; text.push(`${row.dataset.name.slice(6)}>${to}`);
    });
    return text;
  }

  /* ---- the page ---- */
  function render() {
    const now = work(), { farm } = now;
    showDeals(now.planted, new Map(farm.fields.filter(Boolean).map(([b, n]) => [b, brings(b, n)])));
    showHints(now.before); showFarm(farm);
    return showList({ ...now, text: fieldWork(now), talers: farm.talers });
  }
  form.addEventListener('input', () => render());
  if ($('like-nmr')) $('like-nmr').addEventListener('click', () => startFrom(game.absent, /^(first|buy|plant_|want_|take_|special|keep|pass|text)/));
  document.documentElement.classList.add('js');
  render();
})();
