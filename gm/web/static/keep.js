/* The link to all games of an address, kept on this device by whoever wants it, so that the installed app begins with them. */
'use strict';
(() => {
  const SHELF = 'bohnenpost my-games', here = location.pathname, box = document.getElementById('keep');
  let kept;
  try { kept = localStorage.getItem(SHELF); } catch { return; /* no storage: nothing is offered */ }
  if (here === '/my-games') {
    if (kept && kept.startsWith('/m/')) location.replace(kept);
    else if (new URLSearchParams(location.search).has('app')) location.replace('/');
  } else if (box) {
    const [keep, forget] = box.querySelectorAll('button');
    const show = () => { keep.hidden = kept === here; forget.hidden = !keep.hidden; };
    keep.onclick = () => { localStorage.setItem(SHELF, kept = here); show(); forget.focus(); };
    forget.onclick = () => { localStorage.removeItem(SHELF); kept = null; show(); keep.focus(); };
    show();
    box.hidden = false;
  } else if (kept === here) localStorage.removeItem(SHELF);  // it opens nothing any more
})();
