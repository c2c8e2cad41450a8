import type { SettlingFrame } from '../../client/socket/link.ts';
import type { OutboxEntry } from '../../client/storage/outbox.ts';
import { settleAnswer } from '../approvals/answers.ts';
import type { AppState } from '../state/app-state.ts';
import { joined } from './draft.ts';

/** What was sent is durable, or it was refused: then the words go back to the composer, before whatever has been typed since. */
export function settle(state: AppState, entry: OutboxEntry, frame: SettlingFrame): AppState {
  if (entry.frame.type === 'permission') return settleAnswer(state, entry.frame, frame);
  if (frame.type === 'ack') return acknowledged(state, entry, frame.seq);
  const typed = state.drafts.get(entry.sessionId) ?? '';
  // Words that the browser could not keep never left the composer.
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
