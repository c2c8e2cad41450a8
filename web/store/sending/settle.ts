import type { SettlingFrame } from '../../client/socket/link.ts';
import type { OutboxEntry } from '../../client/storage/outbox.ts';
import { settleAnswer } from '../approvals/answers.ts';
import type { AppState } from '../state/app-state.ts';
import type { StoreContext } from '../state/store-context.ts';
import { returnAttachments } from './attachments.ts';
import { joined, settlePageOnly, storedDraft } from './draft.ts';

/** Resolves when a refused message is stored as a draft again. */
export async function settle(context: StoreContext, entry: OutboxEntry, frame: SettlingFrame): Promise<void> {
  const { store } = context;
  const wasStored = !store.getState().pageOnly.has(entry.commandId);
  // The session may not be open in this page: don't overwrite its draft.
  if (frame.type === 'refused') store.setState((state) => ({ drafts: new Map(state.drafts).set(entry.sessionId, storedDraft(context, entry.sessionId)) }));
  store.setState((state) => withSettled(state, entry, frame));
  settlePageOnly(context, entry, frame.type === 'ack');
  if (entry.frame.type === 'permission' || frame.type !== 'refused' || !wasStored) return;
  const { you, drafts } = store.getState();
  if (you !== undefined) context.options.drafts.set(you.id, entry.sessionId, drafts.get(entry.sessionId) ?? '');
  await returnAttachments(context, entry);
}

/** If refused, the text goes back to the composer, before anything typed since. */
function withSettled(state: AppState, entry: OutboxEntry, frame: SettlingFrame): AppState {
  if (entry.frame.type === 'permission') return settleAnswer(state, entry.frame, frame);
  if (frame.type === 'ack') return acknowledged(state, entry, frame.seq);
  const typed = state.drafts.get(entry.sessionId) ?? '';
  // A message that the browser couldn't store never left the composer.
  const draft = state.pageOnly.has(entry.commandId) ? typed : joined(entry.frame.text, typed);
  return {
    ...state,
    drafts: new Map(state.drafts).set(entry.sessionId, draft),
    refusals: new Map(state.refusals).set(entry.sessionId, frame.message),
  };
}

function acknowledged(state: AppState, entry: OutboxEntry, seq: number): AppState {
  const seen = (state.open.get(entry.sessionId)?.transcript.lastSeq ?? seq) >= seq;
  return seen ? state : { ...state, acknowledged: [...state.acknowledged, { entry, seq }] };
}
