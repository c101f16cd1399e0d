/* The page around verify.js: a file or a game's record in, words out. Nothing is sent anywhere. */
(function () {
  'use strict';
  const $ = (id) => document.getElementById(id), form = $('verify'), words = JSON.parse($('words').textContent);
  if (!form || !window.BohnenVerify) return;
  const say = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  const make = (tag, name, text) => { const e = document.createElement(tag); if (name) e.className = name; if (text != null) e.textContent = text; return e; };
  const place = ([kind, ...rest]) => (kind ? say(words.places[kind], { round: rest[0], seat: rest[1], what: rest[0] }) : '');

  /* "7=a742…" and "7:Anna=c0ff…", one in a line. Throws the line that is neither. */
  function given() {
    const kept = { commitment: $('commitment').value.trim().toLowerCase(), chains: [], receipts: [] };
    if (kept.commitment && !/^[0-9a-f]{64}$/.test(kept.commitment)) throw kept.commitment;
    $('kept').value.split('\n').map((line) => line.trim()).filter(Boolean).forEach((line) => {
      const found = /^(\d{1,4})(?::(.+))?=([0-9a-fA-F]{64})$/.exec(line);
      if (!found) throw line;
      if (found[2]) kept.receipts.push([Number(found[1]), found[2], found[3].toLowerCase()]);
      else kept.chains.push([Number(found[1]), found[3].toLowerCase()]);
    });
    return kept;
  }
  /* What was pasted is added to what was typed, which goes before. */
  function withMails(kept, data) {
    const pasted = $('mails').value;
    if (!pasted.trim()) return { kept, lines: [] };
    let game = '';
    try { game = JSON.parse(new TextDecoder().decode(data)).game; } catch { /* verify says what is wrong */ }
    const found = window.BohnenWitness.witness(pasted, game), typed = new Set(kept.chains.map(([number]) => number));
    const lines = found.odd.map(([kind, number]) => say(words.oddMails, { what: kind === 'commitment' ? words.kept.promise : say(words.kept[kind === 'chain' ? 'chains' : 'receipts'], { rounds: number }) }));
    lines.unshift(found.mails ? say(words.ofMails, { count: found.mails }) : words.noMails);
    return { kept: { commitment: kept.commitment || found.commitment, chains: [...kept.chains, ...found.chains.filter(([number]) => !typed.has(number))], receipts: [...kept.receipts, ...found.receipts] }, lines };
  }
  /* What the record was compared with, the first line of every verdict. */
  function compared(kept) {
    const rounds = (list) => [...new Set(list.map(([number]) => number))].sort((a, b) => a - b).join(', ');
    const parts = [kept.commitment && words.kept.promise, kept.chains.length && say(words.kept.chains, { rounds: rounds(kept.chains) }), kept.receipts.length && say(words.kept.receipts, { rounds: rounds(kept.receipts) })];
    return `${words.compared} ${parts.filter(Boolean).join('; ') || words.kept.nothing}`;
  }
  function show(result, kept, lines) {
    const looks = { PROVEN: 'ok', 'NOT PROVEN': 'err' }, box = make('div', `note ${looks[result.verdict] || 'warn'}`);
    box.id = 'verdict';
    box.tabIndex = -1;
    box.append(make('h2', '', words.verdicts[result.verdict]));
    [compared(kept), ...lines].forEach((line) => box.append(make('p', 'small', line)));
    const [reason, values] = result.reason;
    if (reason) box.append(make('p', '', `${place(result.place)}${result.place.length ? ': ' : ''}${say(words.reasons[reason], values || {})}`));
    if (values && values.commitment) box.append(make('p', 'hash', values.commitment));
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
    const all = withMails(kept, record);
    show(await window.BohnenVerify.verify(record, all.kept), all.kept, all.lines);
  });
  document.documentElement.classList.add('js');
})();
