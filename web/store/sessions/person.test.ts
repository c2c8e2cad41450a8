import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { PersonState } from '../../../src/protocol/http.ts';
import { createApi } from '../../client/http/api.ts';
import type { Desk } from '../cockpit.ts';
import { type AppState, initialState } from '../state/app-state.ts';
import { evenLayout } from '../state/tile-layout.ts';
import { meetPerson, personDesk } from './person.ts';

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
  const desk = { store, options: { api }, client: () => undefined } as unknown as Desk;
  return { desk, patches, person: () => store.getState().person, answer: () => tell(kept) };
}

const mine = evenLayout(['a', 'b']);

test('what the server keeps for a person is taken up, and what this page does not understand of it is left out', async () => {
  const { desk, person, answer } = openDesk({ tiles: JSON.parse(JSON.stringify(mine)), recent: ['/tmp'] });
  const met = meetPerson(desk);
  expect(person()).toBeUndefined();
  answer();
  await met;
  expect(person()).toEqual({ tiles: mine });
  const odd = openDesk({ tiles: { sessions: 'no list' } });
  odd.answer();
  await meetPerson(odd.desk);
  expect(odd.person()?.tiles).toBeUndefined();
});

test('a layout that was changed while the server was asked is not undone by its answer', async () => {
  const { desk, patches, person, answer } = openDesk({ tiles: JSON.parse(JSON.stringify(evenLayout(['old', 'older']))) });
  const met = meetPerson(desk);
  await personDesk(desk).keepTiles(mine);
  answer();
  await met;
  expect(person()).toEqual({ tiles: mine });
  expect(patches).toEqual([{ tiles: mine }]);
});
