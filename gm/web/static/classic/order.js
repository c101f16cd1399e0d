/* The list of field work and deals, worked out while it is made. A skin over the form: chips write its numbers, which are all that is
   sent, and the server's word counts. */
(function () {
  'use strict';
  const $ = (id) => document.getElementById(id), form = $('orders'), data = $('game-data'), words = $('game-words');
  if (!form || !data || !words) return;
  const game = JSON.parse(data.textContent), W = JSON.parse(words.textContent), NOTHING = '0';
  const { say, talers, value, copy, begin, icon, made, line, showHints, showFarm, startFrom } = window.farmOf(game, W, form);
  const kinds = { r: W.r, h: W.h }, cardName = (label) => say(kinds[label[0]] || W.l, { n: label.replace(/^[rh]/, '') });
  const bean = (label) => (label[0] === 'h' ? game.hand[label.slice(1) - 1] : game.cards[label] || game.lying[label - 1]);
  const boxes = [...form.querySelectorAll('.deal[data-label]')], takes = [...form.querySelectorAll('[name^="take_"]')];
  const rows = [...form.querySelectorAll('.pickrow')];
  const inputs = (box) => [...box.querySelectorAll('.num input')], variety = (input) => input.parentElement.dataset.v;
  const liked = (box) => inputs(box).filter((input) => input.value).sort((a, b) => a.value - b.value).map(variety);

  /* ---- what comes of the list ---- */
  function work() {
    const { farm, steps, wrong, plant } = begin(), before = {}, planted = new Set();
    rows.forEach((row) => {
      const { name } = row.dataset, label = name.slice('plant_'.length), to = value(name);
      before[name] = copy(farm);
      if (!to) return;
      if (label === 'h2' && !planted.has('h1')) wrong.push(W.order);
      plant(row.dataset.bean, 1, to, say(W.plant, { card: cardName(label), b: W.short[row.dataset.bean], f: to }));
      planted.add(label);
    });
    return { farm, steps, wrong, before, planted, missing: game.due.filter((label) => !planted.has(label)) };
  }
  function deals() {
    const found = boxes.filter((box) => !box.disabled).map((box) => [box.dataset.label, liked(box)]).filter(([, list]) => list.length);
    const said = found.map(([label, list]) => say(W.goes, {
      card: cardName(label), b: W.short[bean(label)], list: list.map((v) => (v === NOTHING ? W.free : W.short[v])).join(W.or) }));
    const text = found.map(([label, list]) => list.map((v) => `${label}=${v}`).join('|'));
    takes.filter((box) => box.checked).forEach((box) => {
      const v = box.name.slice('take_'.length);
      said.push(say(W.take, { b: W.short[v] })); text.push(`${NOTHING}=${v}`);
    });
    const special = value('special').split('\n').map((one) => one.trim()).filter(Boolean);
    return { said: [...said, ...special], text: [...text, ...special, ...(value('keep') ? ['keep'] : [])] };
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

  /* ---- chips ---- */
  function chip(input) {
    const v = variety(input), button = made('button', '', 'cp2');
    button.type = 'button'; button.dataset.v = v;
    const rank = made('span', '', 'rank');
    if (v === NOTHING) button.append(rank, W.give);
    else { button.classList.add(`bean-${v}`); button.append(rank, icon(v), W.short[v]); }
    button.addEventListener('click', () => { tap(input); render(); form.dispatchEvent(new Event('planned')); });
    return button;
  }
  /* Once more takes a choice back; "for nothing" stays the last one. */
  function tap(input) {
    const box = input.closest('.deal'), v = variety(input), list = liked(box), at = list.indexOf(v);
    if (at >= 0) list.splice(at, 1);
    else if (v !== NOTHING && list.at(-1) === NOTHING) list.splice(-1, 0, v);
    else list.push(v);
    write(box, list);
  }
  function write(box, list) {
    inputs(box).forEach((input) => { const at = list.indexOf(variety(input)); input.value = at < 0 ? '' : at + 1; });
  }
  function opener(box) {
    const button = made('button', '…', 'cp2 morebtn');
    button.type = 'button'; button.setAttribute('aria-expanded', 'false');
    button.append(made('span', ` ${W.more}`, 'sr'));
    button.addEventListener('click', () => button.setAttribute('aria-expanded', box.classList.toggle('open')));
    return button;
  }
  boxes.forEach((box) => {
    const bar = made('div', '', 'chips jsonly');
    bar.setAttribute('role', 'toolbar'); bar.setAttribute('aria-labelledby', `${box.id}_h`);
    bar.append(...inputs(box).map(chip), opener(box));
    box.querySelector('.wants').before(bar);
  });
  if ($('takes')) $('takes').querySelector('.chips').append(opener($('takes')));
  /* One stop of the tab key for each card; the arrow keys go from chip to chip. */
  function showStops(bar) {
    const seen = [...bar.querySelectorAll('button')].filter((button) => button.offsetParent), at = seen.find((button) => button.tabIndex === 0) || seen[0];
    bar.querySelectorAll('button').forEach((button) => { button.tabIndex = button === at ? 0 : -1; });
    return seen;
  }
  form.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], bar = event.target.closest('[role=toolbar]');
    if (!step || !bar) return;
    const seen = showStops(bar), next = seen[(seen.indexOf(event.target) + step + seen.length) % seen.length];
    event.target.tabIndex = -1; next.tabIndex = 0; next.focus();
    event.preventDefault();
  });

  /* ---- the page ---- */
  function showDeals(now) {
    const grown = new Set(now.farm.fields.filter(Boolean).map((f) => f[0]));
    boxes.forEach((box) => {
      const { label } = box.dataset, list = liked(box);
      box.hidden = box.disabled = now.planted.has(label);
      box.classList.toggle('has', list.length > 0);
      box.classList.toggle('self', grown.has(bean(label)));
      box.querySelectorAll('.cp2[data-v]').forEach((button) => {
        const { v } = button.dataset, at = list.indexOf(v);
        button.setAttribute('aria-pressed', at >= 0);
        button.querySelector('.rank').textContent = at >= 0 ? at + 1 : '';
        button.classList.toggle('mine', grown.has(v));
        button.title = grown.has(v) ? W.own : '';
        button.classList.toggle('more', v !== NOTHING && !grown.has(v) && at < 0);
      });
    });
    takes.forEach((box) => box.closest('.cp').classList.toggle('more', !box.checked && !grown.has(box.name.slice('take_'.length))));
    form.querySelectorAll('[role=toolbar]').forEach(showStops);
  }
  function render() {
    const now = work(), { farm } = now, gained = farm.talers - game.talers;
    showDeals(now);
    const of = deals(), text = value('text').trim(), n = of.said.length, count = say(n === 1 ? W.deal : W.deals, { n });
    const missing = say(W.missing, { list: now.missing.map((label) => `${cardName(label)} (${W.short[bean(label)]})`).join(', ') });
    now.isEmpty = !now.steps.length && !of.text.length;
    if ($('oplist')) {
      $('oplist').replaceChildren(...(now.steps.length ? now.steps.map(line) : [line({ says: now.missing.length ? missing : W.no_work, isPale: true })]));
      $('wrong').hidden = !now.wrong.length; $('wrong').textContent = now.wrong.join(' ');
      $('res-t').textContent = talers(farm.talers) + (gained ? ` (${gained > 0 ? '+' : '−'}${Math.abs(gained)})` : '');
    }
    if ($('deals')) $('deals').replaceChildren(...(n ? of.said.map((one) => made('li', one)) : [made('li', W.no_deals, 'muted')]));
    $('count').textContent = n ? `(${count})` : '';
    $('notation').textContent = [...fieldWork(now), ...of.text].join(' ') || (now.missing.length ? '–' : 'pass');
    $('bar-t').textContent = game.phase === 'last' ? talers(farm.talers) : count;
    $('bar-s').textContent = text ? W.as_text : now.wrong[0] || (now.missing.length ? missing : W.ready);
    $('bar-s').className = '';
    form.querySelector('.submitbar .primary').textContent = form.elements.pass && now.isEmpty && !text ? W.pass : W.send;
    showHints(now.before); showFarm(farm);
    return now;
  }
  form.addEventListener('input', () => render());
  form.addEventListener('submit', (event) => {
    const now = render();
    if (value('text').trim() || event.submitter?.value === 'check') return;
    if (now.wrong.length || now.missing.length) {
      event.preventDefault();
      $('bar-s').className = 'errtext'; $('live').textContent = $('bar-s').textContent;
      (now.wrong.length ? $('oplist') : $(`plant_${now.missing[0]}`)).scrollIntoView({ block: 'center' });
    } else if (form.elements.pass) form.elements.pass.checked = now.isEmpty;  /* the button says so */
  });
  function fillDeals(of, took) {
    boxes.forEach((box) => write(box, of[box.dataset.label] || []));
    takes.forEach((box) => { box.checked = took.includes(box.name.slice('take_'.length)); });
    render(); form.dispatchEvent(new Event('planned'));
  }
  if ($('last')) $('last').addEventListener('click', () => fillDeals(game.last, game.took));
  if ($('none')) $('none').addEventListener('click', () => fillDeals({}, []));
  if ($('like-nmr')) $('like-nmr').addEventListener('click', () => startFrom(game.absent, /^(first|buy|plant_|want_|take_|special|keep|pass|text)/));
  document.documentElement.classList.add('js');
  render();
})();
