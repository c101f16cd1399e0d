/* The service worker: without a network, a page is shown as it was last seen, and says so. With one, nothing comes from here.
   Kept is only what the server marks (`Offline`): never an answer to a form, never the desk. A player's own pages are kept for
   a day, of one personal link at a time, and shown under their own address only, which is the key to them. */
'use strict';
const PAGES = `bohnenpost pages ${VERSION}`, ASSETS = `bohnenpost assets ${VERSION}`;
const DAY = 24 * 3600 * 1000, FOR = { own: DAY, all: 30 * DAY }, MOST = 40, LOOSE = { ignoreVary: true };
const isDesk = (address) => new URL(address).pathname.startsWith('/desk');
const PLAIN = Object.keys(OLD).map((lang) => `/offline?lang=${lang}`);

self.addEventListener('install', (event) => event.waitUntil((async () => {
  await (await caches.open(ASSETS)).addAll(['/static/app.css', ...PLAIN]);
  await self.skipWaiting();
})()));

self.addEventListener('activate', (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith('bohnenpost ') && name !== PAGES && name !== ASSETS);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
  for (const { url } of await self.clients.matchAll({ type: 'window' })) {  // what is open while it comes to work
    if (!isDesk(url)) await fetch(url).then((answer) => answer.redirected || keep(url, answer)).catch(() => {});
  }
})()));

self.addEventListener('fetch', (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || isDesk(request.url)) return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else if (pathname.startsWith('/static/')) event.respondWith(asset(event));
});

async function page(event) {
  let answer;
  try { answer = await fetch(event.request); } catch { return asItWas(event.request.url); }
  event.waitUntil(keep(event.request.url, answer.clone()).catch(() => {}));  // a full disk keeps nothing; the page is there
  return answer;
}

async function asset(event) {
  try {
    const answer = await fetch(event.request);
    if (answer.ok) {
      const copy = answer.clone();
      event.waitUntil(caches.open(ASSETS).then((kept) => kept.put(event.request, copy)).catch(() => {}));
    }
    return answer;
  } catch { return await caches.match(event.request, LOOSE) || Response.error(); }
}

const whose = (address) => new URL(address).pathname.split('/')[2];
const isOver = (copy) => !(Date.now() - Number(copy.headers.get('Kept-At')) < FOR[copy.headers.get('Offline')]);

async function keep(address, answer) {
  const kept = await caches.open(PAGES), as = answer.headers.get('Offline');
  if (answer.status < 500) await kept.delete(address, LOOSE);  // what is gone, or leads elsewhere, is not kept as it was
  const isDead = answer.status === 404 && new URL(address).pathname.startsWith('/z/');  // then all its pages are
  for (const request of await kept.keys()) {
    const copy = await kept.match(request, LOOSE);
    const isAnothers = as === 'own' && copy.headers.get('Offline') === 'own' && whose(request.url) !== whose(address);
    const isOfDead = isDead && copy.headers.get('Offline') === 'own' && whose(request.url) === whose(address);
    if (isOver(copy) || isAnothers || isOfDead) await kept.delete(request, LOOSE);
  }
  if (!(as in FOR)) return;
  const headers = new Headers(answer.headers);
  headers.set('Kept-At', Date.now());
  await kept.put(address, new Response(await answer.blob(), { headers }));
  const all = await kept.keys();
  await Promise.all(all.slice(0, Math.max(0, all.length - MOST)).map((request) => kept.delete(request, LOOSE)));
}

async function asItWas(address) {
  const kept = await caches.open(PAGES);
  const copy = await kept.match(address, LOOSE) || await kept.match(address, { ...LOOSE, ignoreSearch: true });
  if (!copy || isOver(copy)) return nothing(address);
  const html = await copy.text(), lang = (/<html lang="(\w+)"/.exec(html) || [])[1];
  const at = new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeStyle: 'short' }).format(Number(copy.headers.get('Kept-At')));
  const words = (OLD[lang] || OLD.en).replace('%s', () => at);
  const said = html.replace(/<main[^>]*>/, (main) => `${main}<p class="note warn stale" role="status">${words}</p>`);
  return new Response(said, { headers: copy.headers });
}

async function nothing(address) {
  const asked = new URL(address).searchParams.get('lang') || navigator.language.slice(0, 2);
  return caches.match(`/offline?lang=${asked in OLD ? asked : 'en'}`, LOOSE);
}
