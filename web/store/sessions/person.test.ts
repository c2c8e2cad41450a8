import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { PersonState } from '../../../src/protocol/http.ts';
import { createApi } from '../../client/http/api.ts';
import { type AppState, initialState } from '../state/app-state.ts';
import type { StoreContext } from '../state/store-context.ts';
import { evenLayout } from '../state/tile-layout.ts';
import { loadPerson, personActions } from './person.ts';

/** A desk whose server tells the state when the test lets it. */
function openDesk(kept: PersonState) {
  const store = createStore<AppState>(() => initialState(0));
  const patches: PersonState[] = [];
  let tell: (state: PersonState) => void = () => undefined;
  const told = new Promise<PersonState>((resolve) => {
    tell = resolve;
  });
  const api = {
    ...createApi('http://nowhere.invalid'),
    state: () => told,
    changeState: async (patch: PersonState) => ({ ...kept, ...patches[patches.push(patch) - 1] }),
  };
  const context = { store, options: { api }, client: () => undefined } as unknown as StoreContext;
  return { context, patches, person: () => store.getState().person, answer: () => tell(kept) };
}

const mine = evenLayout(['a', 'b']);

test('a user’s settings are loaded from the server, and unknown parts ignored', async () => {
  const { context, person, answer } = openDesk({ tiles: JSON.parse(JSON.stringify(mine)), recent: ['/tmp'] });
  const met = loadPerson(context);
  expect(person()).toBeUndefined();
  answer();
  await met;
  expect(person()).toEqual({ tiles: mine });
  const odd = openDesk({ tiles: { sessions: 'no list' } });
  odd.answer();
  await loadPerson(odd.context);
  expect(odd.person()?.tiles).toBeUndefined();
});

test('a layout changed during the request is not undone by the answer', async () => {
  const { context, patches, person, answer } = openDesk({ tiles: JSON.parse(JSON.stringify(evenLayout(['old', 'older']))) });
  const met = loadPerson(context);
  await personActions(context).saveTiles(mine);
  answer();
  await met;
  expect(person()).toEqual({ tiles: mine });
  expect(patches).toEqual([{ tiles: mine }]);
});
