import { prepend } from '../../src/domain/transcript/transcript.ts';
import { CommandId, SessionId } from '../../src/protocol/ids.ts';
import type { Desk } from './cockpit.ts';
import { withOpen } from './fold-frames.ts';
import { withNotice } from './notices.ts';

export interface Conversation {
  openSession(sessionId: string): void;
  closeSession(sessionId: string): void;
  loadOlder(sessionId: string): Promise<void>;
  draftOf(sessionId: string): string;
  setDraft(sessionId: string, text: string): void;
  sendInput(sessionId: string, text: string): Promise<void>;
  interrupt(sessionId: string): void;
  stop(sessionId: string): Promise<void>;
  rename(sessionId: string, title: string): Promise<void>;
}

/** Older events fetched at a time. */
const PAGE = 200;
/** Transcripts kept after leaving them, for a quick return. */
const KEPT = 6;

export function conversation(desk: Desk): Conversation {
  return {
    openSession: (sessionId) => openSession(desk, sessionId),
    closeSession: (sessionId) => desk.client().unsubscribe(sessionId),
    loadOlder: (sessionId) => loadOlder(desk, sessionId),
    draftOf: (sessionId) => desk.options.drafts.get(sessionId),
    setDraft: (sessionId, text) => setDraft(desk, sessionId, text),
    sendInput: (sessionId, text) => sendInput(desk, sessionId, text),
    interrupt: (sessionId) => interrupt(desk, sessionId),
    stop: (sessionId) => told(desk, desk.options.api.stop(sessionId)),
    rename: (sessionId, title) => told(desk, desk.options.api.describeSession(sessionId, { title })),
  };
}

function openSession({ store, client, options }: Desk, sessionId: string): void {
  const state = store.getState();
  const held = state.open.get(sessionId);
  const draft = options.drafts.get(sessionId);
  const open = new Map([...state.open].filter(([id]) => id !== sessionId).slice(-KEPT));
  if (held !== undefined) open.set(sessionId, held);
  store.setState({ open, drafts: new Map(state.drafts).set(sessionId, draft) });
  client().subscribe(sessionId, held?.transcript.lastSeq || undefined);
}

async function loadOlder({ store, options }: Desk, sessionId: string): Promise<void> {
  const before = store.getState().open.get(sessionId);
  if (before === undefined || before.older === 'loading' || before.transcript.firstSeq <= 1) return;
  store.setState((state) => withOpen(state, sessionId, { ...before, older: 'loading' }));
  const events = await options.api.eventsBefore(sessionId, before.transcript.firstSeq, PAGE).catch(() => undefined);
  store.setState((state) => {
    const now = state.open.get(sessionId);
    if (now === undefined) return state;
    if (events === undefined) return withOpen(state, sessionId, { ...now, older: 'failed' });
    return withOpen(state, sessionId, { transcript: prepend(now.transcript, events), older: 'idle' });
  });
}

function setDraft({ store, options }: Desk, sessionId: string, text: string): void {
  options.drafts.set(sessionId, text);
  store.setState((state) => {
    const refusals = new Map(state.refusals);
    refusals.delete(sessionId);
    return { drafts: new Map(state.drafts).set(sessionId, text), refusals: state.refusals.has(sessionId) ? refusals : state.refusals };
  });
}

/** The composer is emptied only when the words are kept elsewhere. */
async function sendInput(desk: Desk, sessionId: string, text: string): Promise<void> {
  const commandId = CommandId.parse(desk.options.newId());
  const frame = { type: 'input', sessionId: SessionId.parse(sessionId), commandId, text } as const;
  const kept = desk.client().send({ commandId, sessionId, createdAt: desk.options.now(), frame });
  await kept;
  if (desk.store.getState().drafts.get(sessionId) === text) setDraft(desk, sessionId, '');
}

function interrupt({ store, client, options }: Desk, sessionId: string): void {
  const said = client().say({ type: 'interrupt', sessionId: SessionId.parse(sessionId), commandId: CommandId.parse(options.newId()) });
  if (!said) store.setState((state) => withNotice(state, 'warning', 'Not interrupted: there is no connection to the server. Try again when it is back.'));
}

async function told({ store }: Desk, done: Promise<void>): Promise<void> {
  await done.catch((error: Error) => store.setState((state) => withNotice(state, 'error', error.message)));
}
