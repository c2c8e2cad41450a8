import type { PersonState } from '../../../src/protocol/http.ts';
import { withNotice } from '../state/notices.ts';
import { PersonSettings } from '../state/person-settings.ts';
import type { StoreContext } from '../state/store-context.ts';
import type { TileLayout } from '../state/tile-layout.ts';

export interface PersonActions {
  /** Applied at once; a notice says if the server refuses it. */
  saveTiles(tiles: TileLayout): Promise<void>;
  /** Interrupted turns up to this time are no longer offered on the deck. */
  dismissCutOffs(until: string): Promise<void>;
}

export const personActions = (context: StoreContext): PersonActions => ({
  saveTiles: (tiles) => save(context, { tiles }),
  dismissCutOffs: (cutOffsDismissedAt) => save(context, { cutOffsDismissedAt }),
});

/** Without an answer nothing changes, and changes made since the request are newer than its answer. */
export async function loadPerson({ store, options }: StoreContext): Promise<void> {
  const before = store.getState().person;
  const state = await options.api.state().catch(() => undefined);
  const loaded = state === undefined ? before : settingsOf(state);
  store.setState(({ person }) => ({ person: person === before ? { ...loaded } : { ...loaded, ...person } }));
}

function settingsOf(state: PersonState): PersonSettings {
  const parsed = PersonSettings.safeParse(state);
  return parsed.success ? parsed.data : {};
}

async function save({ store, options }: StoreContext, part: PersonSettings): Promise<void> {
  store.setState(({ person }) => ({ person: { ...person, ...part } }));
  await options.api
    .changeState(part)
    .catch((error: Error) => store.setState((state) => withNotice(state, 'warning', `Saved in this page only: ${error.message}`)));
}
