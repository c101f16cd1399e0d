/* Has the browser keep the pages it sees for when there is no network (/sw.js). */
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/sw.js').catch(() => {});
