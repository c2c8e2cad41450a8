import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { PersonState } from '../../../src/protocol/http.ts';
import { createApi } from '../../client/http/api.ts';
import { type AppState, initialState } from '../state/app-state.ts';
import type { StoreContext } from '../state/store-context.ts';
import { evenLayout } from '../state/tile-layout.ts';
import { loadPerson, personActions } from './person.ts';

/** A store whose server sends the state when the test says so. */
function openStore(stored: PersonState) {
  const store = createStore<AppState>(() => initialState(0));
  const patches: PersonState[] = [];
  let sendAnswer: (state: PersonState) => void = () => undefined;
  const answered = new Promise<PersonState>((resolve) => {
    sendAnswer = resolve;
  });
  const api = {
    ...createApi('http://nowhere.invalid'),
    state: () => answered,
    changeState: async (patch: PersonState) => ({ ...stored, ...patches[patches.push(patch) - 1] }),
  };
  const context = { store, options: { api }, client: () => undefined } as unknown as StoreContext;
  return { context, patches, person: () => store.getState().person, answer: () => sendAnswer(stored) };
}

const mine = evenLayout(['a', 'b']);

test('a user’s settings are loaded from the server, and unknown parts ignored', async () => {
  const { context, person, answer } = openStore({ tiles: JSON.parse(JSON.stringify(mine)), recent: ['/tmp'] });
  const loaded = loadPerson(context);
  expect(person()).toBeUndefined();
  answer();
  await loaded;
  expect(person()).toEqual({ tiles: mine });
  const odd = openStore({ tiles: { sessions: 'no list' } });
  odd.answer();
  await loadPerson(odd.context);
  expect(odd.person()?.tiles).toBeUndefined();
});

test('a layout changed during the request is not undone by the answer', async () => {
  const { context, patches, person, answer } = openStore({ tiles: JSON.parse(JSON.stringify(evenLayout(['old', 'older']))) });
  const loaded = loadPerson(context);
  await personActions(context).saveTiles(mine);
  answer();
  await loaded;
  expect(person()).toEqual({ tiles: mine });
  expect(patches).toEqual([{ tiles: mine }]);
});
