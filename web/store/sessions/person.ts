import * as z from 'zod/mini';
import type { PersonState } from '../../../src/protocol/http.ts';
import type { Desk } from '../cockpit.ts';
import { withNotice } from '../state/notices.ts';
import { TileLayout } from '../state/tile-layout.ts';

/** What one person keeps for themselves, on every device. What this page does not know of it, it leaves alone. */
const PersonKept = z.object({ tiles: z.catch(z.optional(TileLayout), undefined) });
export type PersonKept = z.infer<typeof PersonKept>;

export interface PersonDesk {
  /** Shown at once; a server that does not take it is told in words. */
  keepTiles(tiles: TileLayout): Promise<void>;
}

export const personDesk = (desk: Desk): PersonDesk => ({ keepTiles: (tiles) => keep(desk, { tiles }) });

/** A server that cannot tell leaves what is known, and what was changed since it was asked is newer than its answer. */
export async function meetPerson({ store, options }: Desk): Promise<void> {
  const before = store.getState().person;
  const state = await options.api.state().catch(() => undefined);
  const told = state === undefined ? before : keptOf(state);
  store.setState(({ person }) => ({ person: person === before ? { ...told } : { ...told, ...person } }));
}

function keptOf(state: PersonState): PersonKept {
  const parsed = PersonKept.safeParse(state);
  return parsed.success ? parsed.data : {};
}

async function keep({ store, options }: Desk, part: PersonKept): Promise<void> {
  store.setState(({ person }) => ({ person: { ...person, ...part } }));
  await options.api
    .changeState(part)
    .catch((error: Error) => store.setState((state) => withNotice(state, 'warning', `The layout is kept in this page only: ${error.message}`)));
}
