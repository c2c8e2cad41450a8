import type { You } from '../../../src/protocol/frame.ts';
import type { OutboxEntry } from '../../client/storage/outbox.ts';
import type { AppState } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';
import type { StoreContext } from '../state/store-context.ts';
import { loadAttachments, returnAttachments, storeAttached } from './attachments.ts';
import { joined, setDraft, storedDraft } from './draft.ts';

/** The server said who is signed in. What another user typed is stored for them; what this one left is restored. */
export function onSignedIn(context: StoreContext, you: You, author: string | undefined): void {
  const { store, options } = context;
  const before = store.getState();
  const owner = author ?? you.id;
  if (before.you === undefined) storeTyped(context, owner, before.drafts);
  const drafts = new Map([...before.drafts.keys()].map((sessionId) => [sessionId, options.drafts.get(you.id, sessionId)]));
  store.setState(owner === you.id ? { you, drafts } : { you, drafts, ...LEFT_BEHIND });
  if (before.you === undefined) for (const [sessionId, attached] of before.attached) void storeAttached(context, owner, sessionId, attached);
  for (const sessionId of drafts.keys()) void loadAttachments(context, sessionId);
}

/** What only the previous user may see. */
const LEFT_BEHIND: Partial<AppState> = { attached: new Map(), answers: new Map(), refusals: new Map(), acknowledged: [], pageOnly: new Set() };

function storeTyped({ options }: StoreContext, owner: string, typed: AppState['drafts']): void {
  for (const [sessionId, text] of typed) {
    if (text !== '') options.drafts.set(owner, sessionId, joined(options.drafts.get(owner, sessionId), text));
  }
}

/** Stored by an earlier release without an author: it goes to the composer, and the user decides. */
export async function rescueUnattributed(context: StoreContext, entry: OutboxEntry): Promise<void> {
  const { store } = context;
  if (entry.frame.type === 'permission') return store.setState((state) => withNotice(state, 'warning', UNSENT_ANSWER));
  setDraft(context, entry.sessionId, joined(entry.frame.text, storedDraft(context, entry.sessionId)));
  store.setState((state) => withNotice(state, 'warning', UNSENT_MESSAGE));
  await returnAttachments(context, entry);
}

const UNSENT_ANSWER = 'An answer from before the last update was not sent because it doesn’t say who gave it. Answer the request again.';
const UNSENT_MESSAGE =
  'A message from before the last update was not sent because it doesn’t say who wrote it. You can find it in its session’s message field.';
