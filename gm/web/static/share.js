// Hands on the link of a game: by the device's own menu, or copied. Without TLS browsers offer neither.
'use strict';
(() => {
  const url = document.querySelector('.pass-on a').href;
  const [share, copy] = ['share', 'copy'].map((id) => document.getElementById(id));
  share.hidden = !navigator.share;
  copy.hidden = !navigator.clipboard;
  share.onclick = () => navigator.share({ title: document.title, url }).catch(() => {});
  copy.onclick = () => navigator.clipboard.writeText(url).then(() => { copy.textContent = copy.dataset.done; }, () => {});
})();
