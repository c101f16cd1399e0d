/* The unsent plan: every list that is being made is kept on this device until it has arrived, and is offered again.
   Works on any order form by its controls alone; the receipt's page forgets what was sent. */
(function () {
  'use strict';
  const place = document.querySelector('[data-plan]'), form = document.getElementById('orders'), $ = (id) => document.getElementById(id);
  if (!place) return;
  const FRAME = ['round', 'rev', 'whole', 'action', 'final'], shelf = `plan ${place.dataset.plan}`;
  const load = () => { try { return JSON.parse(localStorage.getItem(shelf)); } catch { return null; } };
  function keep(plan) {
    try { if (plan) localStorage.setItem(shelf, JSON.stringify(plan)); else localStorage.removeItem(shelf); } catch { /* no storage: as it was */ }
  }
  if (!form) { if ((load() || {}).sent) keep(null); return; }

  const round = form.elements.round.value, rev = form.elements.rev.value, isStored = form.dataset.stored === 'yes';
  const values = () => [...new FormData(form)].filter(([name]) => !FRAME.includes(name)).sort();
  const key = (of) => JSON.stringify(of);
  const shown = key(values());
  let last = shown, offered = null, goes = false, asking = false;

  function changed(sent) {
    const now = values();
    if (key(now) === last && !sent) return;
    last = key(now);
    keep(isStored && last === shown ? offered : { round, rev, at: Date.now(), values: now, sent });
  }
  function when(at) {
    const day = new Date(at), far = day.toDateString() !== new Date().toDateString();
    return day.toLocaleString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', ...(far && { weekday: 'short' }) });
  }
  function offer(plan) {
    offered = plan;
    $('plan').hidden = !plan;
    if (!plan) return;
    $('plan-text').textContent = $('plan').dataset.text.replace('{at}', when(plan.at));
    $('plan-older').hidden = plan.rev === rev;
  }
  function fill(plan) {
    for (const e of form.elements) {
      if (!e.name || FRAME.includes(e.name)) continue;
      const own = plan.values.filter(([name]) => name === e.name).map(([, value]) => value);
      if (e.type !== 'radio' && e.type !== 'checkbox') e.value = own[0] || '';
      else if ((e.checked = own.includes(e.value))) e.closest('details.pre')?.setAttribute('open', '');
    }
  }

  const before = load();
  if (before && before.round === round && key(before.values) !== shown) offer(before);
  else if (before && (isStored || before.round !== round)) keep(null);

  $('plan-on').addEventListener('click', () => {
    const plan = offered, own = values();  /* what was being made meanwhile is offered in its place */
    fill(plan);
    offer(key(own) === shown ? null : { round, rev, at: Date.now(), values: own });
    form.dispatchEvent(new Event('input'));
  });
  $('plan-off').addEventListener('click', () => { offer(null); if (last === shown) keep(null); });
  form.addEventListener('input', () => changed());
  form.addEventListener('planned', () => changed());

  /* ---- how much of a text still fits ---- */
  form.querySelectorAll('[data-most]').forEach((hint) => {
    const field = form.elements[hint.id.split('-')[0]], { most, text } = hint.dataset;
    const count = () => {
      const n = [...field.value.trim()].length;
      hint.textContent = text.replace('{n}', n).replace('{most}', most);
      hint.classList.toggle('errtext', n > most);
    };
    form.addEventListener('input', count);
    count();
  });

  /* ---- sending: only over a connection that answers ---- */
  const canAsk = form.requestSubmit && AbortSignal.timeout;
  form.addEventListener('submit', async (event) => {
    if (event.defaultPrevented) { goes = false; return; }
    if (goes || !canAsk) { goes = true; changed(true); return; }
    event.preventDefault();
    if (asking) return;
    const { submitter } = event;
    asking = true;
    $('offline').hidden = true;
    try {
      await fetch('/static/icon.svg', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(20000) });
      goes = true;
      form.requestSubmit(submitter);
    } catch { $('offline').hidden = false; }
    asking = false;
  });
  window.addEventListener('pageshow', () => { goes = false; });
  window.addEventListener('online', () => { $('offline').hidden = true; });
  window.addEventListener('beforeunload', (event) => { if (!goes && (last !== shown || !isStored)) event.preventDefault(); });
})();
