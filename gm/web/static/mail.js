/* A mail in the demo's mailbox is as high as it is long: one page scrolls, not a box in it. */
(function () {
  'use strict';
  const frame = document.querySelector('iframe.mail');
  document.documentElement.classList.add('js');
  if (!frame) return;
  const fit = () => {
    const mail = frame.contentDocument && frame.contentDocument.documentElement;
    if (!mail || !mail.scrollHeight) return;
    frame.style.height = 0;  // else it is never lower than it was
    frame.style.height = `${mail.scrollHeight}px`;
  };
  frame.addEventListener('load', fit);
  addEventListener('resize', fit);
  document.querySelector('.two details').open = false;
  fit();
})();
