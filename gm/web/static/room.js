// At one table: who has sat down is shown without loading the page anew, and a page on which one only waits goes on by itself.
'use strict';
(() => {
  const news = document.getElementById('news');
  if (news && document.querySelector('h1[data-plan], h1[data-waits]')) {
    new MutationObserver(() => { const link = news.querySelector('a'); if (link) location.href = link.href; }).observe(news, { childList: true });
  }
  const asking = setInterval(async () => {
    const room = document.getElementById('room');
    if (!room) { clearInterval(asking); return; }
    if (room.contains(document.activeElement) || room.querySelector('details[open], #lth')) return;
    const answer = await fetch(room.dataset.from).catch(() => null);
    if (!answer || !answer.ok) return;
    const found = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('room');
    if (!found) location.reload();
    else if (found.innerHTML !== room.innerHTML) room.replaceWith(found);
  }, 2000);
})();
