/* The link to all games of an address, kept on this device by whoever wants it, so that the installed app begins with them. */
'use strict';
(() => {
  const SHELF = 'bohnenpost my-games', here = location.pathname, isApp = new URLSearchParams(location.search).has('app'), box = document.getElementById('keep');
  let kept;
  try { kept = localStorage.getItem(SHELF); } catch { return; /* no storage: nothing is offered */ }
  if (here === '/my-games') {
    if (isApp) location.replace(kept && kept.startsWith('/m/') ? kept : '/');
  } else if (box) {
    const [keep, forget] = box.querySelectorAll('button'), { link } = box.dataset;
    const show = () => { keep.hidden = kept === link; forget.hidden = !keep.hidden; };
    keep.onclick = () => { localStorage.setItem(SHELF, kept = link); show(); forget.focus(); };
    forget.onclick = () => { localStorage.removeItem(SHELF); kept = null; show(); keep.focus(); };
    show();
    box.hidden = false;
  } else if (kept === here) localStorage.removeItem(SHELF);  // it opens nothing any more
})();
