/* The page around verify.js: a file or a game's record in, words out. Nothing is sent anywhere. */
(function () {
  'use strict';
  const $ = (id) => document.getElementById(id), form = $('verify'), words = JSON.parse($('words').textContent);
  if (!form || !window.BohnenVerify) return;
  const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const make = (tag, name, text) => { const e = document.createElement(tag); if (name) e.className = name; if (text != null) e.textContent = text; return e; };
  const place = ([kind, ...rest]) => (kind ? say(words.places[kind], { round: rest[0], seat: rest[1], what: rest[0] }) : '');

  /* The first mail, or its 64 digits; "7=a742…" and "7:Anna=c0ff…", one in a line. Throws the line that is neither. */
  function given() {
    const first = $('commitment').value.trim(), kept = { commitment: '', chains: [], receipts: [] };
    if (/^[0-9a-fA-F]{64}$/.test(first)) kept.commitment = first.toLowerCase();
    else if (first && !window.BohnenWitness.read(first).length) throw first.split('\n')[0];
    $('kept').value.split('\n').map((line) => line.trim()).filter(Boolean).forEach((line) => {
      const found = /^(\d{1,4})(?::(.+))?=([0-9a-fA-F]{64})$/.exec(line);
      if (!found) throw line;
      if (found[2]) kept.receipts.push([Number(found[1]), found[2], found[3].toLowerCase()]);
      else kept.chains.push([Number(found[1]), found[3].toLowerCase()]);
    });
    return kept;
  }
  /* What the record was compared with, the first line of every verdict. */
  function compared(kept) {
    if (!kept.commitment && !kept.chains.length && !kept.receipts.length && kept.mails) return `${words.compared} ${words.kept.mails}`;
    const rounds = (list) => [...new Set(list.map(([number]) => number))].sort((a, b) => a - b).join(', ');
    const parts = [kept.commitment && words.kept.promise, kept.chains.length && say(words.kept.chains, { rounds: rounds(kept.chains) }), kept.receipts.length && say(words.kept.receipts, { rounds: rounds(kept.receipts) })];
    return `${words.compared} ${parts.filter(Boolean).join('; ') || words.kept.nothing}`;
  }
  function show(result, pasted) {
    const kept = { chains: [], receipts: [], conditions: [], ...result.given }, lines = kept.conditions.map(([reason, values]) => say(words.onlyIf, { what: say(words.reasons[reason], values) }));
    (kept.tellings || []).forEach(([reason, values, mail]) => lines.push(say(words.toldIn, { what: say(words.reasons[reason], values), mail })));
    if (pasted) lines.unshift(kept.mails ? say(words.ofMails, { count: kept.mails }) : words.noMails);
    const looks = { PROVEN: 'ok', 'NOT PROVEN': 'err' }, box = make('div', `note ${looks[result.verdict] || 'warn'}`);
    box.id = 'verdict';
    box.tabIndex = -1;
    box.append(make('h2', '', words.verdicts[result.verdict === 'PROVEN' && (kept.tellings || []).length ? 'PROVEN TOLD' : result.verdict]));
    [compared(kept), ...lines].forEach((line) => box.append(make('p', 'small', line)));
    const [reason, values] = result.reason;
    if (reason) box.append(make('p', '', `${place(result.place)}${result.place.length ? ': ' : ''}${say(words.reasons[reason], values || {})}`));
    if (values && values.commitment) box.append(make('p', 'hash', values.commitment));
    const missing = result.withoutReport || [];
    if (missing.length) box.append(make('p', 'small', say(words.withoutReport, { rounds: missing.join(', ') })));
    if ((kept.voidReports || []).length) box.append(make('p', 'small', say(words.voidReports, { rounds: kept.voidReports.join(', ') })));
    const list = make('ul', 'plainlist');
    result.checks.forEach(([name, what]) => {
      const item = make('li');
      item.append(make('b', '', `✓ ${words.checks[name]}`));
      if (what) item.append(' ', make('span', 'muted hash', what));
      list.append(item);
    });
    box.append(list);
    $('out').replaceChildren(box);
    box.focus();
  }
  async function data() {
    const file = $('file').files[0];
    if (file) return new Uint8Array(await file.arrayBuffer());
    if (!$('game')) throw new Error('missing');
    const answer = await fetch(`/p/${encodeURIComponent($('game').value.trim())}/record.json`);
    if (!answer.ok) throw new Error('missing');
    return new Uint8Array(await answer.arrayBuffer());
  }
  const tell = (text) => { const box = make('div', 'note err', text); box.setAttribute('role', 'alert'); $('out').replaceChildren(box); };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!window.crypto || !crypto.subtle) { tell(words.insecure); return; }
    let kept;
    try { kept = given(); } catch (line) { tell(say(words.badLine, { line })); return; }
    let record;
    try { record = await data(); } catch { tell(words.missing); return; }
    const texts = [$('commitment').value, $('mails').value], read = texts.map(window.BohnenWitness.read);
    const unread = texts.map(window.BohnenWitness.unread).reduce((a, b) => a + b);
    show(await window.BohnenVerify.verify(record, kept, read, unread), $('mails').value.trim() !== '');
  });
  document.documentElement.classList.add('js');
})();
