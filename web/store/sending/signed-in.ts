import type { You } from '../../../src/protocol/frame.ts';
import type { OutboxEntry } from '../../client/storage/outbox.ts';
import type { Desk } from '../cockpit.ts';
import type { AppState } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';
import { giveBackAttachments, recallAttachments, storeAttached } from './attachments.ts';
import { joined, setDraft, storedDraft } from './draft.ts';

/** The server said who is here. What another person typed is put away for them; what this one left is brought back. */
export function takeSeat(desk: Desk, you: You, author: string | undefined): void {
  const { store, options } = desk;
  const before = store.getState();
  const owner = author ?? you.id;
  if (before.you === undefined) storeTyped(desk, owner, before.drafts);
  const drafts = new Map([...before.drafts.keys()].map((sessionId) => [sessionId, options.drafts.get(you.id, sessionId)]));
  store.setState(owner === you.id ? { you, drafts } : { you, drafts, ...LEFT_BEHIND });
  if (before.you === undefined) for (const [sessionId, attached] of before.attached) void storeAttached(desk, owner, sessionId, attached);
  for (const sessionId of drafts.keys()) void recallAttachments(desk, sessionId);
}

/** What only the one before may see. */
const LEFT_BEHIND: Partial<AppState> = { attached: new Map(), answers: new Map(), refusals: new Map(), acknowledged: [], pageOnly: new Set() };

function storeTyped({ options }: Desk, owner: string, typed: AppState['drafts']): void {
  for (const [sessionId, text] of typed) {
    if (text !== '') options.drafts.set(owner, sessionId, joined(options.drafts.get(owner, sessionId), text));
  }
}

/** Kept by an earlier release, which did not say by whom: it goes to the composer, and a person decides. */
export async function rescueDisowned(desk: Desk, entry: OutboxEntry): Promise<void> {
  const { store } = desk;
  if (entry.frame.type === 'permission') return store.setState((state) => withNotice(state, 'warning', UNSENT_ANSWER));
  setDraft(desk, entry.sessionId, joined(entry.frame.text, storedDraft(desk, entry.sessionId)));
  store.setState((state) => withNotice(state, 'warning', UNSENT_WORDS));
  await giveBackAttachments(desk, entry);
}

const UNSENT_ANSWER = 'An answer from before the last update was not sent, because it is not known who gave it. Its request still waits: answer it again.';
const UNSENT_WORDS = 'A message from before the last update was not sent, because it is not known who wrote it. It is in the composer of its session.';
