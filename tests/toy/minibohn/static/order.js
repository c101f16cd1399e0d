/* The planner of minibohn: says what the ticked cards come to. The form stays as it is; nothing here is sent. */
(function () {
  'use strict';
  const form = document.getElementById('orders'), data = document.getElementById('game-data'), says = document.getElementById('plan-says');
  if (!form || !data || !says) return;
  const game = JSON.parse(data.textContent), names = JSON.parse(document.getElementById('bean-names').textContent);

  /* The order of the form: the cards ticked from the front, or the revealed one if it is taken. */
  function planted() {
    if (game.phase === 2) return form.elements.choice.value === 'take' ? [game.revealed] : [];
    return game.hand.filter((_, i) => form.elements[`plant_${i + 1}`].checked);
  }
  function show() {
    const fields = game.fields.map((field) => field && [...field]);
    const fits = planted().every((bean) => {
      let at = fields.findIndex((field) => field && field[0] === bean);
      if (at < 0) at = fields.indexOf(null);
      if (at >= 0) fields[at] = [bean, (fields[at] ? fields[at][1] : 0) + 1];
      return at >= 0;
    });
    says.textContent = fits ? fields.map((field, i) => `${'AB'[i]} ${field ? `${field[1]} ${names[field[0]]}` : '–'}`).join(', ') : says.dataset.full;
  }
  form.addEventListener('input', show);
  show();
})();
