/* Deals while a list is being made, drawn as chips over the numbers of the form, which are all that is sent.
   `game`: cards, hand, lying, deals of last time; `W`: the words; `tools`: of farmOf; `changed`: called after each choice, draws the page
   and gives what comes of the list. */
window.dealsOf = function (game, W, form, tools, changed) {
  'use strict';
  const $ = (id) => document.getElementById(id), NOTHING = '0', MOST = 3, { say, talers, value, icon, made, line } = tools;
  const kinds = { r: W.r, h: W.h }, cardName = (label) => say(kinds[label[0]] || W.l, { n: label.replace(/^[rh]/, '') });
  const bean = (label) => (label[0] === 'h' ? game.hand[label.slice(1) - 1] : game.cards[label] || game.lying[label - 1]);
  const boxes = [...form.querySelectorAll('.deal[data-label]')], takes = [...form.querySelectorAll('[name^="take_"]')];
  const inputs = (box) => [...box.querySelectorAll('.num input')], variety = (input) => input.parentElement.dataset.v;
  const liked = (box) => inputs(box).filter((input) => input.value).sort((a, b) => a.value - b.value).map(variety);

  /* what is said of them */
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
  const held = (v) => [...Object.values(game.cards), ...game.lying].filter((one) => one === v).length;
  /* ---- chips ---- */
  function chip(input) {
    const v = variety(input), button = made('button', '', 'cp2');
    button.type = 'button'; button.dataset.v = v;
    const rank = made('span', '', 'rank'), name = made('span', W.short[v] || W.give);
    if (v === NOTHING) { button.classList.add('give'); button.append(rank, name); }
    else { button.classList.add(`bean-${v}`); name.append(made('small', '')); button.append(rank, icon(v), name); }
    button.addEventListener('click', () => { tap(input); changed(); form.dispatchEvent(new Event('planned')); });
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
    const button = made('button', W.more, 'cp2 morebtn');
    button.type = 'button'; button.setAttribute('aria-expanded', 'false');
    button.addEventListener('click', () => {
      const isOpen = box.classList.toggle('open');
      button.setAttribute('aria-expanded', isOpen); button.textContent = isOpen ? W.fewer : W.more;
    });
    return button;
  }
  if ($('market') && matchMedia('(min-width: 60rem)').matches) $('market').open = true;
  boxes.forEach((box) => {
    const bar = made('div', '', 'chips jsonly');
    bar.setAttribute('role', 'toolbar'); bar.setAttribute('aria-labelledby', `${box.id}_h`);
    const chips = inputs(box).map(chip);
    bar.append(...chips.slice(0, -1), opener(box), chips.at(-1));
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

  /* `planted`: the cards that the list plants; `grown`: what its fields end with, each with what more of it bring. */
  let known = '';
  function showDeals(planted, grown) {
    const fits = [...grown.keys()], isOther = fits.join() !== known;
    known = fits.join();
    boxes.forEach((box) => {
      const { label } = box.dataset, list = liked(box);
      box.hidden = box.disabled = planted.has(label);
      box.classList.toggle('has', list.length > 0);
      box.classList.toggle('self', grown.has(bean(label)));
      const worth = game.useful.filter((v) => v !== bean(label) && !grown.has(v)).slice(0, Math.max(1, MOST - grown.size));
      box.querySelectorAll('.cp2[data-v]').forEach((button) => {
        const { v } = button.dataset, at = list.indexOf(v);
        button.setAttribute('aria-pressed', at >= 0);
        button.querySelector('.rank').textContent = at >= 0 ? at + 1 : '';
        button.classList.toggle('mine', grown.has(v));
        if (v !== NOTHING) button.querySelector('small').textContent = [grown.get(v), game.shown[v] && say(W.at, { names: game.shown[v].join(', ') }), !grown.get(v) && !game.shown[v] && held(v) > 1 && say(W.held, { n: held(v) })].filter(Boolean).join(' · ');
        button.title = grown.has(v) ? W.own : '';
        button.classList.toggle('more', v !== NOTHING && !grown.has(v) && !worth.includes(v) && at < 0);
      });
      if (isOther && !box.contains(document.activeElement)) box.querySelector('[role=toolbar]').prepend(...fits.map((v) => box.querySelector(`.cp2[data-v="${v}"]`)).filter(Boolean));
    });
    if ($('none')) $('none').hidden = !takes.some((box) => box.checked) && !boxes.some((box) => box.classList.contains('has'));
    takes.forEach((box) => box.closest('.cp').classList.toggle('more', !box.checked && !grown.has(box.name.slice('take_'.length))));
    form.querySelectorAll('[role=toolbar]').forEach(showStops);
  }
  function fillDeals(of, took) {
    boxes.forEach((box) => write(box, of[box.dataset.label] || []));
    takes.forEach((box) => { box.checked = took.includes(box.name.slice('take_'.length)); });
    changed(); form.dispatchEvent(new Event('planned'));
  }
  if ($('last')) $('last').addEventListener('click', () => fillDeals(game.last, game.took));
  if ($('none')) $('none').addEventListener('click', () => fillDeals({}, []));
  /* The list in words, and whether it can be sent. `now`: what comes of it (`steps`, `wrong`, `missing`, `text` of the field work, `talers`). */
  function showList(now) {
    const of = deals(), text = value('text').trim(), n = of.said.length, count = say(n === 1 ? W.deal : W.deals, { n }), gained = now.talers - game.talers;
    const missing = say(W.missing, { list: now.missing.map((label) => `${cardName(label)} (${W.short[bean(label)]})`).join(', ') });
    now.isEmpty = !now.steps.length && !of.text.length;
    if ($('oplist')) {
      $('oplist').replaceChildren(...(now.steps.length ? now.steps.map(line) : [line({ says: now.missing.length ? missing : W.no_work, isPale: true })]));
      $('wrong').hidden = !now.wrong.length; $('wrong').textContent = now.wrong.join(' ');
      $('res-t').textContent = talers(now.talers) + (gained ? ` (${gained > 0 ? '+' : '−'}${Math.abs(gained)})` : '');
    }
    if ($('deals')) $('deals').replaceChildren(...(n ? of.said.map((one) => made('li', one)) : [made('li', W.no_deals, 'muted')]));
    $('count').textContent = n ? `(${count})` : '';
    $('notation').textContent = [...now.text, ...of.text].join(' ') || (now.missing.length ? '–' : 'pass');
    $('bar-t').textContent = game.phase === 'last' ? talers(now.talers) : count;
    $('bar-s').textContent = text ? W.as_text : now.wrong[0] || (now.missing.length > 2 ? say(W.many, { n: now.missing.length }) : now.missing.length ? missing : W.ready);
    $('bar-s').className = '';
    form.querySelector('.submitbar .primary').textContent = form.elements.pass && now.isEmpty && !text ? W.pass : W.send;
    return now;
  }
  /* What can only be refused is not sent. */
  form.addEventListener('submit', (event) => {
    const now = changed();
    if (value('text').trim() || event.submitter?.value === 'check') return;
    if (now.wrong.length || now.missing.length) {
      event.preventDefault();
      $('bar-s').className = 'errtext'; $('live').textContent = $('bar-s').textContent;
      if (now.wrong.length) tools.leadTo(now.wrong.where); else $(`plant_${now.missing[0]}`).scrollIntoView({ block: 'center' });
    } else if (form.elements.pass) form.elements.pass.checked = now.isEmpty;  /* the button says so */
  });
  return { cardName, bean, showDeals, showList };
};
