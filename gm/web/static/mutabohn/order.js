/* The list of field work, worked out while it is made: chains, mutations, bonus cards. A skin over the form, whose controls are all
   that is sent; the server's word counts. What comes for a cashed card nobody knows, so nothing is said of it. */
(function () {
  'use strict';
  const $ = (id) => document.getElementById(id), form = $('orders'), data = $('game-data'), words = $('game-words');
  if (!form || !data || !words) return;
  const game = JSON.parse(data.textContent), W = JSON.parse(words.textContent), FIELDS = 'AB', UNKNOWN = '?';
  const tools = window.farmOf(game, W, form), { say, talers, value, icon, made, startFrom } = tools;
  const { cardName, bean, showDeals, showList } = window.dealsOf(game, W, form, tools, () => render());
  const boxes = [...form.querySelectorAll('.plant')], labels = boxes.map((box) => box.dataset.label);
  const must = labels.filter((label) => label !== `h${game.must + 1}`);
  const top = (f) => f[f.length - 1], place = (b) => game.chain.indexOf(b), hundredths = (n) => new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2 }).format(n / 100);
  const worth = (f) => (f ? game.meters[top(f)].reduce((paid, need, i) => (need && f.length >= need ? i + 1 : paid), 0) : 0);
  const cards = (n) => say(n === 1 ? W.card : W.cards, { n });

  /* ---- the rules, as far as the page needs them ---- */
  const takes = (f, b) => !f || top(f) === b || place(b) === place(top(f)) + 1;
  const isSingle = (fields, i) => fields[i].length === 1 && fields.some((f) => f && f.length > 1);
  const fits = (code, f) => f && f.length >= code.length
    && [...code].every((letter, i) => place(f[f.length - code.length + i]) - place(f[f.length - code.length]) === letter.charCodeAt(0) - 65);
  /* How many letters of a code a field ends with from which it can be finished; where the chain ends too early all that it has. */
  function begun(code, f) {
    const has = (n) => fits(code.slice(0, n), f), letter = (n) => code.charCodeAt(n - 1), numbers = [...code].map((_, i) => code.length - i);
    const n = numbers.find((one) => one < code.length && has(one) && place(top(f)) + letter(code.length) - letter(one) < game.chain.length);
    return n ? { n, next: game.chain[place(top(f)) + (code[n] === code[n - 1] ? 0 : 1)] } : { n: numbers.find(has) || 0 };
  }
  const copy = (s) => ({ fields: s.fields.map((f) => f && [...f]), talers: s.talers, held: [...s.held] });
  function cash(s) {
    const found = [];
    for (;;) {
      const able = s.held.map((code, at) => ({ code, at, i: code && code !== UNKNOWN ? s.fields.findIndex((f) => fits(code, f)) : -1 })).filter((one) => one.i >= 0);
      const [best] = able.sort((a, b) => game.values[b.code] - game.values[a.code] || (a.code < b.code ? -1 : a.code > b.code ? 1 : a.at - b.at));
      if (!best) return found;
      s.held[best.at] = UNKNOWN; found.push(best);
    }
  }
  /* What a card would do on a field: its kind, the field then, what is cashed. */
  function look(s, i, b, clears) {
    const f = s.fields[i], reaps = f && (clears || !takes(f, b));
    if (reaps && isSingle(s.fields, i)) return { kind: 'no' };
    const kind = reaps ? 'reap' : !f ? 'empty' : top(f) === b ? 'same' : 'mut', then = copy(s), gain = reaps ? worth(f) : 0;
    then.fields[i] = reaps || !f ? [b] : [...f, b]; then.talers += gain;
    return { kind, then, gain, was: f, cashed: cash(then) };
  }
  function inOrder() {
    const at = (label) => Number(value(`at_${label}`)) || Number(label);
    return [...labels.filter((label) => label[0] !== 'h').sort((a, b) => at(a) - at(b)), ...labels.filter((label) => label[0] === 'h')];
  }
  function work() {
    let s = { fields: game.fields.map((f) => f && [...f]), talers: game.talers, held: [...game.held] };
    const steps = [], wrong = [], before = {}, planted = new Set(), text = [], hits = [];
    /* What cannot be done: for which card, and in `wrong.where` by which choice. */
    function refuse(why, label) {
      wrong.push(label ? `${cardName(label)} (${W.short[bean(label)]}): ${why}` : why);
      if (label) wrong.where ||= `plant_${label}`;
    }
    function harvest(i) {
      const f = s.fields[i];
      if (isSingle(s.fields, i)) { refuse(say(W.is_locked, { f: FIELDS[i] })); return; }
      steps.push({ says: say(W.reap, { f: FIELDS[i], n: f.length, b: W.short[top(f)] }), paid: worth(f), icon: 'taler' });
      text.push(`H${FIELDS[i]}`); s.talers += worth(f); s.fields[i] = null;
    }
    new FormData(form).getAll('first').forEach((h) => { const i = FIELDS.indexOf(h[1]); if (s.fields[i]) harvest(i); });
    const swapped = game.held.map((code, i) => (value(`swap_b${i + 1}`) ? i : -1)).filter((i) => i >= 0);
    if (swapped.length) {
      swapped.forEach((i) => { s.held[i] = UNKNOWN; });
      text.push(`swap ${swapped.map((i) => `b${i + 1}`).join(' ')}`);
      if (s.talers) { s.talers -= 1; steps.push({ says: W.swapped, paid: -1, icon: 'taler' }); } else wrong.push(W.too_poor);
    }
    inOrder().forEach((label) => {
      before[label] = copy(s);
      const to = value(`plant_${label}`), b = bean(label), i = FIELDS.indexOf(to);
      if (!to) return;
      if (label[0] === 'h' && label !== 'h1' && !value(`plant_h${label.slice(1) - 1}`)) refuse(W.order, label);
      const found = look(s, i, b, value(`clear_${label}`));
      if (found.kind === 'no') { refuse(say(W.is_locked, { f: to }), label); return; }
      if (found.kind === 'reap') harvest(i);
      s = found.then; planted.add(label); text.push(`${label}>${to}`);
      steps.push({ says: say(found.kind === 'mut' ? W.mutates : W.plant, { card: cardName(label), b: W.short[b], f: to, n: s.fields[i].length }), icon: b });
      found.cashed.forEach((one) => { hits.push({ ...one, label }); steps.push({ says: say(W.cashes, { code: one.code, n: hundredths(game.values[one.code]) }), icon: 'taler' }); });
    });
    const fed = [...FIELDS].filter((f) => value(`feed_${f}`)).join('');
    if (fed) text.push(`feed ${fed}`);
    return { end: s, steps, wrong: Object.assign([...new Set(wrong)], { where: wrong.where }), before, planted, text, hits, swapped, missing: must.filter((label) => !planted.has(label)) };
  }

  /* ---- how it is drawn ---- */
  function chain(f) {
    const box = made('span', '', 'chain'), runs = [];
    f.forEach((b) => { if (runs.length && runs.at(-1)[0] === b) runs.at(-1)[1] += 1; else runs.push([b, 1]); });
    box.setAttribute('aria-hidden', 'true');
    runs.forEach(([b, n], at) => {
      const run = made('span', '', `run bean-${b}${at === runs.length - 1 ? ' last' : ''}`);
      run.append(...Array.from({ length: Math.min(n, 3) }, () => icon(b)), made('i', n));
      box.append(run, ...(at < runs.length - 1 ? [made('span', '›', 'go')] : []));
    });
    return box;
  }
  function showFields({ fields, talers: purse }) {
    $('chains').querySelectorAll('.cf').forEach((box, i) => {
      const f = fields[i], isNew = JSON.stringify(f) !== JSON.stringify(game.fields[i]);
      box.classList.toggle('chg', isNew); box.classList.toggle('none', !f);
      if (!isNew && !box.dataset.drawn) return;
      box.dataset.drawn = 'yes';
      box.replaceChildren(made('b', FIELDS[i]));
      if (!f) { box.append(made('span', W.empty, 'muted')); return; }
      const says = made('span', '', 'cw');
      says.append(made('b', `${f.length} ${W.short[top(f)]}`), `: ${talers(worth(f))}`);
      box.append(chain(f), says);
    });
    $('purse').textContent = talers(purse);
  }
  function option(label, found, b) {
    const parts = [made('b', say(W[`is_${found.kind}`], { b: W.short[b] }), 'k')], i = FIELDS.indexOf(label.dataset.f);
    if (found.kind === 'no') parts.push(made('span', W.single));
    else if (found.kind === 'reap') parts.push(made('span', `+${talers(found.gain)}, 1 ${W.short[b]}`));
    else if (found.kind === 'empty') parts.push(made('span', `1 ${W.short[b]}`));
    else parts.push(made('span', `${cards(found.then.fields[i].length)}, ${talers(worth(found.then.fields[i]))}`));
    (found.cashed || []).forEach((one) => parts.push(made('span', `★ ${say(W.cashes, { code: one.code, n: hundredths(game.values[one.code]) })}`, 'c')));
    label.className = `pf2 k-${found.kind}`;
    label.querySelector('.o').replaceChildren(...parts);
  }
  /* What one more of a variety would be on each field, and whether a bonus card waits for it. */
  function fitting({ fields, held }, b) {
    const is = fields.map((f, i) => f && takes(f, b) && say(top(f) === b ? W.at_same : W.at_mut, { f: FIELDS[i] })).filter(Boolean);
    const waits = held.some((code) => code && code !== UNKNOWN && fields.some((f) => f && begun(code, f).n && begun(code, f).next === b));
    return is.join(', ') + (waits ? ' ★' : '');
  }
  function showBonus(now) {
    $('bonus').textContent = hundredths(now.hits.reduce((sum, one) => sum + game.values[one.code], Number($('bonus').dataset.now)));
    game.held.forEach((code, at) => {
      const box = $(`b${at + 1}`), hit = now.hits.find((one) => one.at === at);
      if (!code || !box) return;
      const best = now.end.fields.map((f, i) => ({ i, ...(f ? begun(code, f) : { n: 0 }) })).sort((a, b) => b.n - a.n);
      const found = best.find((one) => one.next) || best[0], n = hit ? code.length : found.n;
      const values = { f: FIELDS[found.i], l: code.slice(0, n), b: W.short[found.next] };
      const says = now.swapped.includes(at) ? W.new : hit ? `${say(W.will, { n: hundredths(game.values[code]) })} ${W.new}` : say(!n ? W.none : found.next ? W.has : W.dead, values);
      box.classList.toggle('cash', Boolean(hit));
      box.querySelector('.pr').textContent = says;
      box.querySelectorAll('.pat i').forEach((letter, i) => letter.classList.toggle('open', i >= n));
    });
  }
  function render() {
    const now = work(), { end } = now;
    boxes.forEach((box) => {
      const { label } = box.dataset;
      box.querySelectorAll('.pf2').forEach((one, i) => option(one, look(now.before[label], i, box.dataset.bean, value(`clear_${label}`)), box.dataset.bean));
      box.querySelector('.clear').hidden = !value(`clear_${label}`) && !box.querySelector('.k-same :checked, .k-mut :checked');
      box.querySelector('.after .check').hidden = must.includes(label) && !value(`plant_${label}`);
      const at = [...now.planted].indexOf(label);
      box.querySelector('.nth').textContent = at < 0 ? '' : say(W.nth, { n: at + 1 });
    });
    // its place stays, so that nothing moves below it
    if ($('same')) $('same').style.visibility = must.some((label) => !value(`plant_${label}`) && now.before[label].fields.some((f) => f && top(f) === bean(label))) ? '' : 'hidden';
    if ($('planned')) $('planned').hidden = !now.planted.size;
    showFields(end); showBonus(now);
    form.querySelectorAll('.feedrow').forEach((row, i) => { row.querySelector('.fw').textContent = `(${end.fields[i] ? talers(worth(end.fields[i])) : W.empty})`; });
    showDeals(now.planted, new Map(game.chain.filter((b) => end.fields.some((f) => f && takes(f, b))).map((b) => [b, fitting(end, b)])));
    return showList({ ...now, talers: end.talers });
  }

  /* ---- what people do ---- */
  const planned = new Set(labels.filter((label) => value(`plant_${label}`)));
  const set = (label, to) => { form.querySelectorAll(`[name="plant_${label}"]`).forEach((one) => { one.checked = one.value === to; }); };
  /* Lying cards come in the order in which they were chosen. */
  function number(label) {
    if (label[0] === 'h' || !form.elements[`at_${label}`]) return;
    const others = inOrder().filter((one) => one[0] !== 'h' && one !== label), isPlanted = (one) => value(`plant_${one}`);
    [...others.filter(isPlanted), label, ...others.filter((one) => !isPlanted(one))].forEach((one, at) => { form.elements[`at_${one}`].value = at + 1; });
  }
  form.addEventListener('input', (event) => {
    const box = event.target.closest?.('.plant');
    if (box && event.target.type === 'radio') {
      const { label } = box.dataset, isPlanned = Boolean(value(`plant_${label}`));
      if (isPlanned && !planned.has(label)) number(label);  // one that only goes elsewhere keeps its place
      if (isPlanned) planned.add(label); else planned.delete(label);
    }
    render();
  });
  if ($('same')) {
    $('same').addEventListener('click', () => {
      for (const label of labels) {
        const now = work();
        if (value(`plant_${label}`) || !must.includes(label)) continue;
        const i = now.before[label].fields.findIndex((f) => f && top(f) === bean(label));
        if (i >= 0) { set(label, FIELDS[i]); number(label); planned.add(label); }
        else if (label[0] === 'h') break;  // what comes behind it is not due yet
      }
      render(); form.dispatchEvent(new Event('planned'));
    });
  }
  if ($('like-nmr')) $('like-nmr').addEventListener('click', () => startFrom(game.absent, /^(first|plant_|clear_|at_|swap_|feed_|want_|take_|special|keep|pass|text)/));
  document.documentElement.classList.add('js');
  render();
})();
