// How long boardgame.io takes for one move of one of five players who all move at once: a whole list of orders, by the
// bare reducer, with the planting and harvesting of the postal game. Prints one line of JSON.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { CreateGameReducer, InitializeGame } = require('boardgame.io/internal');

const ROUNDS = 2000, PLAYERS = 5, FIELDS = 3, TIERS = [4, 6, 8, 10];
const talers = (beans) => TIERS.filter((needed) => beans >= needed).length;
const reveal = () => Array.from({ length: 8 }, (_, position) => (position * 5) % 8);

function plant(G, playerID, orders) {
  const farm = G.farms[playerID];
  for (const { position, field, harvest } of orders) {
    const grown = farm.fields[field];
    if (harvest && grown) {
      farm.talers += talers(grown.beans);
      farm.fields[field] = null;
    }
    const there = farm.fields[field], variety = G.row[position];
    if (there && there.variety !== variety) return false;
    farm.fields[field] = { variety, beans: (there ? there.beans : 0) + 1 };
    G.events.push({ seat: playerID, position, field });
  }
  return true;
}

const game = {
  setup: () => ({
    row: reveal(), events: [],
    farms: Object.fromEntries(Array.from({ length: PLAYERS }, (_, seat) => [seat, { talers: 0, fields: Array(FIELDS).fill(null) }])),
  }),
  moves: {
    order: ({ G, playerID }, orders) => { if (!plant(G, playerID, orders)) return 'INVALID_MOVE'; },
  },
  turn: {
    activePlayers: { all: 'ordering', minMoves: 1, maxMoves: 1 },
    stages: { ordering: { moves: { order: ({ G, playerID }, orders) => { if (!plant(G, playerID, orders)) return 'INVALID_MOVE'; } } } },
    onBegin: ({ G }) => { G.row = reveal(); G.events = []; },
  },
};

const orders = Array.from({ length: 6 }, (_, n) => ({ position: n, field: n % FIELDS, harvest: true }));
const reducer = CreateGameReducer({ game });
let state = InitializeGame({ game, numPlayers: PLAYERS }), moves = 0, began = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  if (round === ROUNDS / 4) { moves = 0; began = process.cpuUsage().user; }
  for (let seat = 0; seat < PLAYERS; seat += 1) {
    const before = state._stateID;
    state = reducer(state, { type: 'MAKE_MOVE', payload: { type: 'order', args: [orders], playerID: String(seat), credentials: null } });
    if (state._stateID === before) throw new Error(`move ${round} of ${seat} was refused`);
    state = { ...state, deltalog: [] };
    moves += 1;
  }
  const next = reducer(state, { type: 'GAME_EVENT', payload: { type: 'endTurn', args: [], playerID: state.ctx.currentPlayer, credentials: null } });
  state = next;
}
console.log(JSON.stringify({ peer: 'boardgame.io', what: 'a move', us: Math.round((process.cpuUsage().user - began) / moves * 10) / 10 }));
