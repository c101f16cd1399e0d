// The waiting room shows who has sat down, without being loaded anew.
'use strict';
setInterval(async () => {
  const room = document.getElementById('room');
  if (room.contains(document.activeElement) || room.querySelector('details[open], #lth')) return;
  const answer = await fetch(`/tonight${location.search}`).catch(() => null);
  if (!answer || !answer.ok) return;
  const found = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('room');
  if (found && found.innerHTML !== room.innerHTML) room.replaceWith(found);
}, 2000);
