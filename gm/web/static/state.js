/* An open page asks whether its game has moved on, says so in place, and counts down to the deadline.
   It never moves focus, scrolls or touches a form; out of sight it asks nothing. */
'use strict';
(() => {
  const $ = (id) => document.getElementById(id), box = $('watch'), news = $('news'), clock = $('clock');
  const { state, now, left, closing, end, minute, passed, every = 20 } = box.dataset, title = document.title, lang = document.documentElement.lang, round = /round=(\d+)/.exec(state)[1];
  const SLOW = 60, SOON = 3, LONG = 600, FAR = 120;  // seconds
  const opened = Date.now(), said = new Set(), submit = document.querySelector('.submitbar .primary'), label = submit?.textContent;
  let ahead = Number(now) * 1000 - Date.now(), deadline = clock ? Number(clock.dataset.deadline) : 0;
  let etag = '', asked = -Infinity, stopped = false, halt = '', shown = '', dismissed = '';

  const unit = (n, name) => new Intl.NumberFormat(lang, { style: 'unit', unit: name, unitDisplay: 'long' }).format(n);
  const say = (text) => { $('news-said').textContent = text; };
  const once = (text) => { if (!said.has(text)) { said.add(text); say(text); } };

  function span(seconds) {
    const m = Math.floor(seconds / 60), h = Math.floor(m / 60), d = Math.floor(h / 24);
    if (m < 10) return unit(2, 'minute').replace(/2/, `${m}:${String(seconds % 60).padStart(2, '0')}`);
    const parts = d ? [[d, 'day'], [h % 24, 'hour']] : [[h, 'hour'], [m % 60, 'minute']];
    return parts.filter(([n]) => n).map(([n, name]) => unit(n, name)).join(' ');
  }

  function countDown() {
    if (halt) return (clock.textContent = halt) && LONG;
    const seconds = Math.ceil(deadline - (Date.now() + ahead) / 1000);
    clock.textContent = seconds > 0 ? left.replace('{t}', span(seconds)) : closing;
    clock.classList.toggle('soon', seconds < LONG);
    if (seconds === 60) once(minute);
    if (seconds === 0) once(passed);
    return seconds;
  }

  function room() {  // the notice lies over the page: its end, and a field that has focus, stay free of it
    const bar = submit?.parentElement, isFixed = bar && getComputedStyle(bar).position === 'fixed';
    const root = document.documentElement.style;
    root.setProperty('--bar', `${isFixed ? bar.offsetHeight : 0}px`);
    root.setProperty('--watch', `${box.offsetHeight}px`);
  }

  function show(html, stays) {
    if (html === shown || html === dismissed) return;
    shown = html;
    news.innerHTML = html;
    box.hidden = !html;
    $('news-off').hidden = Boolean(stays);
    const words = (selector) => news.querySelector(selector)?.textContent.trim() || '';
    document.title = html ? `● ${words('.wt')} – ${title}` : title;
    const button = words('.btn');
    if (html) say([words('.wt'), words('.ws'), button && `${end} ${button}.`].filter(Boolean).join(' '));
    room();
  }

  function refuse() {  // what is planned can only be refused now
    const words = news.querySelector('[data-late]')?.dataset.late;
    if (!words && !submit.matches('.late')) return;
    submit.style.minWidth = `${submit.getBoundingClientRect().width}px`;
    submit.textContent = words || label;
    submit.classList.toggle('late', Boolean(words));
  }

  function stop(name) {
    stopped = true;
    show($(name).innerHTML, true);
  }

  async function ask() {
    asked = Date.now();
    let answer;
    try {
      answer = await fetch(state, { headers: etag ? { 'If-None-Match': etag } : {}, cache: 'no-store', redirect: 'manual' });
    } catch { return; }  // no network now; the next time
    if (answer.status === 404 || answer.status === 410) return stop('news-gone');
    if (answer.status === 429 || answer.type === 'opaqueredirect') return stop('news-quiet');
    const at = Date.parse(answer.headers.get('Date'));
    if (at) ahead = at - Date.now();
    if (answer.status !== 200) return;
    etag = answer.headers.get('ETag') || '';
    const found = await answer.json();
    halt = found.clock;
    if (found.deadline && String(found.round) === round) {
      deadline = found.deadline;
      document.querySelectorAll('time').forEach((time) => { time.textContent = found.due; time.dateTime = new Date(deadline * 1000).toISOString(); });
    }
    document.querySelectorAll('.cnt').forEach((chip) => { if (found.count) chip.textContent = found.count; });
    show(found.news);
  }

  setInterval(() => {
    const seconds = clock && deadline ? countDown() : LONG;
    if (submit) refuse();
    if (stopped || document.hidden) return;
    const wait = (seconds <= 0 && seconds > -FAR) || every < SOON ? SOON : Date.now() - opened > LONG * 1000 ? SLOW : every;
    if (Date.now() - asked >= wait * 1000) ask();
  }, 1000);
  document.addEventListener('visibilitychange', () => { if (!document.hidden && !stopped) ask(); });
  $('news-off').addEventListener('click', () => {
    dismissed = shown;
    shown = '';
    box.hidden = true;
    document.title = title;
    room();
  });
  addEventListener('resize', room);
})();
