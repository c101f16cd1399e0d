/* The duel's list, worked out while it is made. A skin over the form: its controls are all that is sent, and the server's word counts. */
(function () {
  'use strict';
  const $ = (id) => document.getElementById(id), form = $('orders'), data = $('game-data'), words = $('game-words');
  if (!form || !data || !words) return;
  const game = JSON.parse(data.textContent), W = JSON.parse(words.textContent), LETTERS = ['A', 'B', 'C'];
  const kind = game.phase === 1 ? 'offer' : 'row', lying = game.phase === 1 ? game.offer : game.row;
  const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const talers = (n) => say(n === 1 ? W.taler : W.talers, { n });
  const worth = (bean, n) => game.meters[bean].reduce((paid, need, i) => (need && n >= need ? i + 1 : paid), 0);
  const all = (name) => new FormData(form).getAll(name).filter(Boolean), value = (name) => all(name)[0] || '';
  const isSingle = (farm, i) => farm.fields[i][1] === 1 && farm.fields.some((f) => f && f[1] > 1);
  const copy = (farm) => ({ fields: farm.fields.map((f) => f && [...f]), talers: farm.talers });

  function icon(bean) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'), use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    svg.setAttribute('class', `ic bean-${bean}`); svg.setAttribute('aria-hidden', 'true');
    use.setAttribute('href', bean === 'taler' ? '#i-taler' : `/static/beans.svg#${bean}`);
    svg.append(use);
    return svg;
  }
  function made(tag, text, name) {
    const element = document.createElement(tag);
    element.textContent = text;
    if (name) element.className = name;
    return element;
  }

  /* ---- what comes of the list ---- */
  function work() {
    const farm = copy(game), steps = [], wrong = [], before = {}, left = [];
    function harvest(i) {
      if (isSingle(farm, i)) { wrong.push(say(W.is_locked, { f: LETTERS[i] })); return false; }
      const [bean, n] = farm.fields[i], paid = worth(bean, n);
      farm.fields[i] = null; farm.talers += paid;
      steps.push({ says: say(W.reap, { f: LETTERS[i], n, b: W.short[bean] }), paid, icon: 'taler' });
      return true;
    }
    function plant(bean, n, letter, says) {
      const i = LETTERS.indexOf(letter);
      if (i >= farm.fields.length) { wrong.push(W.not_bought); return; }
      if (farm.fields[i] && farm.fields[i][0] !== bean && !harvest(i)) return;
      farm.fields[i] = [bean, n + (farm.fields[i] ? farm.fields[i][1] : 0)];
      steps.push({ says, icon: bean });
    }
    all('first').forEach((h) => { const i = LETTERS.indexOf(h[1]); if (farm.fields[i]) harvest(i); });
    if (value('buy') && farm.fields.length === 2) {
      if (farm.talers < game.price) wrong.push(say(W.too_poor, { n: talers(game.price) }));
      else { farm.talers -= game.price; farm.fields.push(null); steps.push({ says: W.bought, paid: -game.price, icon: 'taler' }); }
    }
    lying.forEach(([bean, n]) => {
      const name = `${kind}_${bean}`, to = value(name), some = to ? Number(value(`number_${bean}`) || n) : 0;
      before[name] = copy(farm);
      if (some) plant(bean, some, to, say(W.plant, { n: some, b: W.short[bean], f: to }));
      if (some < n && kind === 'offer') steps.push({ says: say(W.away, { n: n - some, b: W.short[bean] }), icon: bean, isPale: true });
      if (some < n) left.push([bean, n - some]);
    });
    const missing = game.phase === 1 ? hand(farm, steps, wrong, before, plant) : '';
    return { farm, steps, wrong, before, left, missing };
  }
  function hand(farm, steps, wrong, before, plant) {
    [1, 2].slice(0, game.hand.length).forEach((p) => {
      const bean = game.hand[p - 1], to = value(`hand_${p}`);
      before[`hand_${p}`] = copy(farm);
      if (to) plant(bean, 1, to, say(W.card, { p, b: W.short[bean], f: to }));
    });
    const p = value('drop'), bean = game.hand[p - 1];
    if (p === '2' && value('hand_2')) wrong.push(W.twice);
    else if (p) steps.push({ says: say(W.thrown, { p, b: W.short[bean] }), icon: bean, isPale: true });
    steps.push({ says: W.reveal, isPale: true });
    if (value('plan')) {
      if (value('match')) steps.push({ says: W.match });
      Object.keys(game.meters).forEach((b) => { const f = value(`want_${b}`); if (f) steps.push({ says: say(W.want, { b: W.short[b], f }), icon: b }); });
    }
    return game.hand.length && !value('hand_1') ? say(W.missing, { b: W.short[game.hand[0]] }) : '';
  }

  /* ---- the page ---- */
  function row(step) {
    const li = document.createElement('li'), paid = step.paid;
    li.append(step.icon ? icon(step.icon) : made('span', '', 'ic'), made('span', step.says, step.isPale ? 'tx muted' : 'tx'),
      made('span', paid ? `${paid > 0 ? '+' : '−'}${Math.abs(paid)}` : '', 'dl'));
    return li;
  }
  function hint(farm, i, bean) {
    const f = farm.fields[i];
    if (i >= farm.fields.length) return say(W.buy, { n: game.price });
    if (!f) return W.empty;
    if (f[0] === bean) return say(W.fits, { n: f[1] });
    return isSingle(farm, i) ? W.locked : `${W.harvest} +${worth(f[0], f[1])}`;
  }
  function showHints(before) {
    form.querySelectorAll('.pickrow').forEach((choice) => {
      const farm = before[choice.dataset.name], bean = choice.dataset.bean;
      LETTERS.forEach((letter, i) => {
        const cell = choice.querySelector(`.f${letter}`), f = farm.fields[i];
        cell.querySelector('small').textContent = hint(farm, i, bean);
        cell.classList.toggle('fit', Boolean(f && f[0] === bean));
        cell.classList.toggle('no', i >= farm.fields.length || Boolean(f && f[0] !== bean && isSingle(farm, i)));
      });
    });
  }
  function showFarm(farm) {
    document.querySelectorAll('#farm .fl').forEach((box, i) => {
      if (box.querySelector('.buy')) return;
      const f = farm.fields[i], was = game.fields[i];
      box.classList.toggle('chg', JSON.stringify(f) !== JSON.stringify(was));
      box.replaceChildren(made('b', LETTERS[i]));
      if (!f) { box.append(made('span', W.empty, 'muted')); return; }
      const what = made('span', `${f[1]} ${W.short[f[0]]}`);
      what.append(document.createElement('br'), made('small', `= ${talers(worth(f[0], f[1]))}`, 'muted'));
      box.append(icon(f[0]), what);
    });
    $('purse').textContent = talers(farm.talers);
  }
  const apart = () => (value('resign') ? W.as_resign : value('text').trim() ? W.as_text : '');
  function render() {
    const now = work(), { farm } = now, gained = farm.talers - game.talers;
    $('oplist').replaceChildren(...(now.steps.length ? now.steps.map(row) : [row({ says: W.nothing })]));
    $('wrong').hidden = !now.wrong.length; $('wrong').textContent = now.wrong.join(' ');
    $('res-t').textContent = $('bar-t').textContent = talers(farm.talers) + (gained ? ` (${gained > 0 ? '+' : '−'}${Math.abs(gained)})` : '');
    $('bar-s').textContent = apart() || now.wrong[0] || now.missing || W.ready;
    form.querySelector('.submitbar .primary').textContent = game.phase === 2 ? W.end : value('plan') ? W.one : W.two;
    if ($('must')) $('must').hidden = !now.missing;
    if ($('planbox')) $('planbox').hidden = !value('plan');
    showHints(now.before); showFarm(farm);
    const rest = $('leftover');
    if (rest) {
      rest.replaceChildren(...(now.left.length ? now.left.flatMap(([bean, n]) => {
        const chip = made('span', '', `slide bean-${bean}`);
        chip.append(icon(bean), `${n} ${W.short[bean]}`);
        return [chip, ' '];
      }) : [W.none_left]));
    }
    return now;
  }

  /* ---- sending: what cannot be taken back is asked once ---- */
  const final = $('final'), sure = $('sure');
  form.addEventListener('input', () => { sure.hidden = true; render(); });
  form.addEventListener('submit', (event) => {
    const now = render();
    if (!apart() && (now.wrong.length || now.missing)) {
      event.preventDefault();
      $('bar-s').className = 'errtext'; $('live').textContent = $('bar-s').textContent;
      (now.wrong.length ? $('oplist') : $('must')).scrollIntoView({ block: 'center' });
    } else if (final && !final.checked) {
      event.preventDefault();
      if (form.elements.pass && !apart()) form.elements.pass.checked = !now.steps.length;  /* said above, and asked for now */
      sure.hidden = false; $('yes').focus();
    }
  });
  $('yes').addEventListener('click', () => { final.checked = true; form.requestSubmit(form.querySelector('.submitbar .primary')); });
  $('not-yet').addEventListener('click', () => { sure.hidden = true; form.querySelector('.submitbar .primary').focus(); });
  if ($('like-nmr')) {
    $('like-nmr').addEventListener('click', () => {
      const { chosen, ticked } = game.absent;
      for (const e of form.elements) {
        if (!(e.name in chosen) && !/^(first|buy|offer_|row_|number_|hand_|drop|plan|match|want_|pass|text|resign)/.test(e.name)) continue;
        if (e.type === 'radio') e.checked = e.value === (chosen[e.name] || '');
        else if (e.type === 'checkbox') e.checked = (ticked[e.name] || [chosen[e.name]]).includes(e.value) && e.name !== 'pass';
        else e.value = chosen[e.name] || '';
      }
      form.dispatchEvent(new Event('input', { bubbles: true })); form.dispatchEvent(new Event('planned'));
    });
  }
  render();
  document.documentElement.classList.add('js');
})();
