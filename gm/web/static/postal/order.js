/* The planner: a skin over the plain form. The form's controls are the only state that is sent; this reads and writes them.
   If anything here fails the class "js" is never set, and the plain form stays as it is. */
(function () {
  'use strict';
  const form = document.getElementById('orders'), data = document.getElementById('game-data');
  if (!form || !data || !window.BohnenRules) return;
  const { FIELDS, cards, worth, nextTier, objection, play } = window.BohnenRules;
  const game = JSON.parse(data.textContent), words = JSON.parse(document.getElementById('strings').textContent);
  const all = cards(game), end = all.length;
  const $ = (id) => document.getElementById(id);
  const rowButtons = [...document.querySelectorAll('#row .bcard')];
  let at = 0, quantity = null, past = [], now;

  const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const talers = (n) => say(Math.abs(n) === 1 ? words.taler : words.talers, { n });
  const signed = (n) => (n < 0 ? `−${-n}` : `+${n}`);
  const make = (tag, name, text) => { const e = document.createElement(tag); if (name) e.className = name; if (text != null) e.textContent = text; return e; };
  const boxes = (name) => [...form.querySelectorAll(`input[name="${name}"]`)];
  const slotName = (slot) => (slot < end ? all[slot].id : 'end');

  /* ---- the form's controls: read, write ---- */
  function read() {
    const marks = { to: [], before: [], pass: form.elements.pass.checked };
    for (let slot = 0; slot <= end; slot++) {
      marks.before.push(boxes(`pre_${slotName(slot)}`).filter((box) => box.checked).map((box) => box.value));
      if (slot < end) marks.to.push(form.elements[`to_${all[slot].id}`].value || '');
    }
    return marks;
  }
  function write(marks) {
    for (let slot = 0; slot <= end; slot++) {
      boxes(`pre_${slotName(slot)}`).forEach((box) => {
        box.checked = marks.before[slot].includes(box.value);
        const details = box.closest('details.pre');
        if (details && box.checked) details.open = true;
      });
      if (slot < end) boxes(`to_${all[slot].id}`).forEach((radio) => { radio.checked = radio.value === marks.to[slot]; });
    }
    form.elements.pass.checked = marks.pass;
  }
  const key = () => JSON.stringify([read(), form.elements.press.value, form.elements.note.value]);
  const stored = form.dataset.stored === 'no' ? '' : key();

  /* ---- what people do ---- */
  function change(edit, told) {
    const marks = read();
    past.push({ marks: JSON.stringify(marks), at });
    edit(marks);
    if (marks.to.some(Boolean) || marks.before.some((list) => list.length)) marks.pass = false;
    write(marks);
    quantity = null;
    render(told);
  }
  const endOf = (slot) => { let i = slot; while (i < end && all[i].position === all[slot].position) i++; return i; };
  const firstOf = (position) => all.findIndex((card) => card.position === position);
  const left = (n) => say(n === 1 ? words.cardLeft : words.cardsLeft, { n });
  const here = () => (at >= end ? words.sayEnd : say(words.sayNow, { position: all[at].position, bean: words.one[all[at].bean] }));

  function putHere(field) {  /* the marked cards; no field: they are left */
    if (at >= end) return;
    const from = at, to = endOf(at), many = field ? Math.min(quantity || to - at, to - at) : to - at, card = all[at];
    change((marks) => {
      for (let slot = from; slot < to; slot++) { marks.to[slot] = slot < from + many ? field : ''; if (slot > from) marks.before[slot] = []; }
      at = from + many;
    }, () => `${say(field ? words.sayPlant : words.sayLeft, { n: many, position: card.position, bean: words.one[card.bean], field })} ${here()}`);
  }
  function clearHere(kind, field) {
    change((marks) => { if (!marks.before[at].includes(kind + field)) marks.before[at].push(kind + field); },
      () => say(kind === 'H' ? words.sayHarvest : words.sayPlow, { field, purse: talers(now.before[at].talers) }));
  }
  function drop(step) {
    const text = stepText(step);
    change((marks) => {
      if (step.kind === 'plant') step.slots.forEach((slot) => { marks.to[slot] = ''; });
      else marks.before[step.slot] = marks.before[step.slot].filter((order) => order !== step.kind + step.field);
    }, () => say(words.sayRemoved, { what: text }));
    $('oph').focus();
  }
  function select(slot, aloud) { at = slot; quantity = null; render(aloud ? here : null); }
  function focusHere() { const target = at < end ? rowButtons[all[at].position - 1] : $('oph'); if (target) target.focus(); }

  /* ---- words ---- */
  function stepText(step) {
    if (step.kind === 'plant') {
      const whole = say(words.stepPlant, { position: step.position, bean: words.short[step.bean], field: step.field });
      return step.of > 1 ? `${whole} ${say(words.stepSome, { n: step.slots.length, of: step.of })}` : whole;
    }
    const values = { field: step.field, n: step.beans, bean: step.bean ? words.short[step.bean] : '' };
    return say(words[(step.kind === 'H' ? 'stepHarvest' : 'stepPlow') + (step.bean ? '' : 'Empty')], values);
  }
  const errorText = (error) => `${say(words[error.code], {
    field: error.field, bean: error.bean ? words.many[error.bean] : '', talers: talers(error.talers || 0), fee: game.fee,
  })} ${words[`${error.code}_${error.advice}`] || words[error.advice] || ''}`.trim();
  function icon(name) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'), use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    svg.setAttribute('class', `ic bean-${name}`); svg.setAttribute('aria-hidden', 'true'); use.setAttribute('href', `#i-${name}`); svg.append(use);
    return svg;
  }
  function disable(button, why) { button.setAttribute('aria-disabled', why ? 'true' : 'false'); button.dataset.why = why || ''; }

  /* ---- drawing ---- */
  function render(told) {
    const marks = read();
    now = play(game, marks);
    drawRow(marks);
    drawCursor();
    FIELDS.forEach(drawField);
    drawOrders();
    drawResult();
    drawState(marks);
    if (told) announce(told());
  }
  function drawRow(marks) {
    rowButtons.forEach((button, i) => {
      const position = i + 1, counts = {};
      all.forEach((card, slot) => { if (card.position === position && marks.to[slot]) counts[marks.to[slot]] = (counts[marks.to[slot]] || 0) + 1; });
      const fields = Object.keys(counts).sort(), to = button.querySelector('.to');
      const bad = now.steps.some((step) => step.error && step.kind === 'plant' && step.position === position);
      to.className = `to ${bad ? 'bad' : fields.length ? 'set' : 'none'}`;
      to.textContent = !fields.length ? '–' : fields.map((f) => `${game.row[i].cards > 1 ? `${counts[f]} ` : ''}→ ${f}`).join(' · ') + (bad ? ' ✗' : '');
      if (at < end && all[at].position === position) button.setAttribute('aria-current', 'step'); else button.removeAttribute('aria-current');
    });
  }
  function drawCursor() {
    const card = at < end ? all[at] : null, rest = card ? endOf(at) - at : 0, many = Math.min(quantity || rest, rest);
    const what = $('cur-what');
    what.replaceChildren();
    if (card) what.append(make('span', 'muted small head', say(words.position, { n: card.position }) + (card.of > 1 ? ` · ${left(rest)}` : '')), make('br'), make('b', '', words.short[card.bean]));
    else what.append(make('b', '', words.endOfRow), make('br'), make('span', 'muted small', words.endHint));
    $('stepper').hidden = rest < 2;
    $('q').textContent = many;
    disable($('q-less'), many <= 1 ? words.limit : '');
    disable($('q-more'), many >= rest ? words.limit : '');
    $('skip').hidden = !card;
    $('when').textContent = card ? say(words.fieldsBefore, { n: card.position }) : words.fieldsAfter;
    $('purse').textContent = talers(now.before[at].talers);
  }
  function drawField(letter) {
    const box = $(`f-${letter}`), farm = now.before[at], { bean, beans } = farm.fields[letter], value = worth(game, bean, beans);
    const card = at < end ? all[at] : null, tier = beans ? nextTier(game, bean, beans) : null, content = box.querySelector('.ct');
    box.querySelector('.tl').textContent = beans ? talers(value) : '';
    content.replaceChildren();
    if (beans) { const text = make('span'); text.append(make('b', '', beans), words.short[bean]); content.append(icon(bean), text); } else content.append(make('span', 'muted', words.empty));
    box.querySelector('.nx').textContent = !beans ? words.free : tier ? say(words.more, { n: tier[0], talers: talers(tier[1]) }) : words.full;
    const plant = box.querySelector('.plant');
    plant.hidden = !card;
    if (card) {
      const no = objection(farm, card.bean, letter), rest = endOf(at) - at;
      const why = !no ? '' : no.code === 'DUPLICATE' ? say(words.whyTwice, { field: no.field }) : words.whyTaken;
      disable(plant, why);
      plant.querySelector('.t').textContent = why || (rest > 1 ? say(words.plantMany, { n: Math.min(quantity || rest, rest) }) : words.plant);
      plant.querySelector('.s').textContent = `: ${words.one[card.bean]}, ${say(words.position, { n: card.position })}, ${say(words.field, { field: letter })}`;
    }
    const reap = box.querySelector('.reap'), plow = box.querySelector('.plow'), poor = farm.talers < game.fee;
    reap.hidden = !value;
    reap.className = `reap${tier ? '' : ' full'}`;
    reap.querySelector('.t').textContent = `${words.harvest} +${value}`;
    plow.hidden = !beans || value > 0;
    const whyPoor = poor ? say(words.whyPoor, { fee: game.fee, n: farm.talers }) : '';
    disable(plow, whyPoor);
    plow.querySelector('.t').textContent = whyPoor || `${words.plow} −${game.fee}`;
  }
  function drawOrders() {
    const list = $('oplist');
    list.replaceChildren(...now.steps.map((step) => {
      const item = make('li', step.error ? 'bad' : ''), text = make('span', 'tx', stepText(step)), remove = make('button', 'x'), cross = make('span', '', '✕');
      if (step.error) text.append(make('br'), make('b', '', `✗ ${errorText(step.error)}`));
      cross.setAttribute('aria-hidden', 'true');
      remove.type = 'button';
      remove.append(cross, make('span', 'sr', say(words.remove, { what: stepText(step) })));
      remove.addEventListener('click', () => drop(step));
      item.append(step.kind === 'H' && !step.error ? icon('taler') : step.bean ? icon(step.bean) : make('span', 'ic'), text, make('span', 'dl', step.gain ? signed(step.gain) : ''), remove);
      return item;
    }));
    $('opnone').hidden = now.steps.length > 0;
    list.hidden = !now.steps.length;
    disable($('undo'), past.length ? '' : words.nothing);
    disable($('clear'), now.steps.length ? '' : words.nothing);
  }
  function drawResult() {
    let onFields = 0;
    $('res').replaceChildren(...FIELDS.map((letter) => {
      const { bean, beans } = now.farm.fields[letter], value = worth(game, bean, beans), line = make('tr'), head = make('th', '', letter), cell = make('td');
      onFields += value;
      head.scope = 'row';
      if (beans) cell.append(icon(bean), ` ${beans} ${(beans === 1 ? words.one : words.many)[bean]}`); else cell.append(make('span', 'muted', words.empty));
      line.append(head, cell, make('td', 'r', beans ? talers(value) : '–'));
      return line;
    }));
    const gain = now.farm.talers - game.talers;
    $('res-t').textContent = talers(now.farm.talers);
    $('res-d').textContent = gain ? ` (${signed(gain)})` : '';
    $('res-f').textContent = say(words.onFields, { n: onFields });
    $('bar-t').textContent = talers(now.farm.talers) + (gain ? ` (${signed(gain)})` : '');
  }
  function drawState(marks) {
    const clash = marks.pass && now.steps.length, dirty = key() !== stored, state = $('bar-s');
    state.textContent = clash ? words.clash : now.failing ? say(now.failing === 1 ? words.failing : words.failingMany, { n: now.failing })
      : dirty ? words.dirty : game.version ? say(words.saved, { n: game.version }) : words.nothingYet;
    state.className = clash || now.failing ? 'errtext' : 'muted';
    form.dispatchEvent(new Event('planned'));
  }
  let timer;
  function announce(text) { clearTimeout(timer); $('live').textContent = ''; timer = setTimeout(() => { $('live').textContent = text; }, 60); }
  function guard(button, act) {
    button.addEventListener('click', () => { if (button.getAttribute('aria-disabled') === 'true') announce(button.dataset.why); else act(); });
  }

  /* ---- wiring ---- */
  rowButtons.forEach((button, i) => {
    button.addEventListener('click', () => select(firstOf(i + 1), true));
  });
  const places = [...rowButtons, $('oph')], byKey = { X: 'skip', U: 'undo', '+': 'q-more', '-': 'q-less' };
  let plowing = false;
  function press(kind, field) {
    const button = document.querySelector(`#f-${field} .${kind}`);
    if (button.hidden) announce(words.nothing); else button.click();
  }
  places.forEach((place, i) => place.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.key === 'Shift') return;
    const pressed = event.key.toUpperCase(), step = { ARROWRIGHT: 1, ARROWLEFT: -1 }[pressed], marked = at, plows = plowing;
    plowing = pressed === 'P';
    if (!step && i < rowButtons.length && !place.hasAttribute('aria-current')) select(firstOf(i + 1), false);
    if (plowing) announce(words.sayPlowWhich);
    else if (step) { if (places[i + step]) select(rowButtons[i + step] ? firstOf(i + step + 1) : end, false); }
    else if (FIELDS.includes(pressed)) press(plows ? 'plow' : event.shiftKey ? 'reap' : 'plant', pressed);
    else if (byKey[pressed]) $(byKey[pressed]).click();
    else return;
    if (at !== marked) focusHere();
    event.preventDefault();
  }));
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit(form.querySelector('.submitbar .primary'));
  });
  FIELDS.forEach((letter) => {
    guard(document.querySelector(`#f-${letter} .plant`), () => putHere(letter));
    guard(document.querySelector(`#f-${letter} .reap`), () => clearHere('H', letter));
    guard(document.querySelector(`#f-${letter} .plow`), () => clearHere('P', letter));
    $(`f-${letter}`).addEventListener('click', (event) => { if (!event.target.closest('button')) press('plant', letter); });
  });
  guard($('skip'), () => putHere(''));
  const count = (step) => { quantity = Number($('q').textContent) + step; render(() => $('q').textContent); };
  guard($('q-less'), () => count(-1));
  guard($('q-more'), () => count(1));
  guard($('undo'), () => { const last = past.pop(); write(JSON.parse(last.marks)); at = last.at; quantity = null; render(() => words.sayUndo); });
  const fill = (marks, chosen, ticked) => {
    marks.to = all.map((card) => chosen[`to_${card.id}`] || '');
    marks.before = marks.before.map((_, slot) => ticked[`pre_${slotName(slot)}`] || []);
  };
  guard($('clear'), () => change((marks) => { fill(marks, {}, {}); at = 0; }, () => words.sayClear));
  guard($('like-nmr'), () => change((marks) => { fill(marks, game.absent.chosen, game.absent.ticked); at = end; }, () => say(words.sayPurse, { talers: talers(now.farm.talers) })));
  form.addEventListener('input', () => render());
  form.addEventListener('submit', (event) => {
    if (event.submitter?.value === 'check' || form.elements.typed.value) return;
    if (now.failing || (read().pass && now.steps.length)) { event.preventDefault(); announce($('bar-s').textContent); $('oph').focus(); }
  });
  document.querySelectorAll('#err a[href^="#to_"], #err a[href^="#pre_"]').forEach((link) => {
    link.addEventListener('click', (event) => {
      const position = Number(link.getAttribute('href').split('_')[1]);
      event.preventDefault();
      select(position ? firstOf(position) : end, true);
      focusHere();
    });
  });

  at = read().to.some(Boolean) ? end : 0;
  render();
  $('plain').open = Boolean(document.querySelector('#err'));
  form.append($('more'));  /* with the planner the plain form and the note on NMR come last */
  form.append(form.elements.whole);
  document.documentElement.classList.add('js');
})();
