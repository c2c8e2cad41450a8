import type { StoreApi } from 'zustand/vanilla';
import type { Api } from '../../client/http/api.ts';
import type { Client } from '../../client/socket/socket.ts';
import type { AttachmentStore } from '../../client/storage/attachments.ts';
import type { Drafts } from '../../client/storage/drafts.ts';
import type { Folds } from '../../client/storage/folds.ts';
import type { Outbox } from '../../client/storage/outbox.ts';
import type { Presence } from '../../client/storage/presence.ts';
import type { AppState } from './app-state.ts';

export interface CockpitOptions {
  readonly socketUrl: string;
  /** The key of this browser's sign-in; programs have none. */
  readonly key?: () => Promise<string | undefined>;
  readonly api: Api;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  /** Without it, a reload resets what was expanded. */
  readonly folds?: Folds;
  readonly foldedProjects?: Folds;
  /** Without it, only the page keeps attachments. */
  readonly attachments?: AttachmentStore;
  /** Without it, nobody is ever away. */
  readonly presence?: Presence;
  /** Calls back when it is time to render, after `afterMs` at the earliest. */
  readonly schedule: (draw: () => void, afterMs: number) => void;
  /** How long the page should stay free for the key that was just pressed. */
  readonly typingMs?: () => number;
  readonly newId: () => string;
  readonly now: () => number;
  readonly WebSocket?: typeof WebSocket;
}

/** What all store functions share. */
export interface StoreContext {
  readonly options: CockpitOptions;
  readonly store: StoreApi<AppState>;
  readonly client: () => Client;
}
