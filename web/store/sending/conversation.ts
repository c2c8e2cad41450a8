import type { ClientFrame } from '../../../src/protocol/frame.ts';
import { CommandId, SessionId } from '../../../src/protocol/ids.ts';
import { type Attachments, NOTHING } from '../../client/storage/attachments.ts';
import type { Desk } from '../cockpit.ts';
import { withNotice } from '../state/notices.ts';
import { attaching, recallAttachments, tooLargeProblem } from './attachments.ts';
import { clearDraft, isGoingAlready, setDraft, storedDraft } from './draft.ts';

export interface Conversation {
  openSession(sessionId: string): void;
  closeSession(sessionId: string): void;
  draftOf(sessionId: string): string;
  setDraft(sessionId: string, text: string): void;
  /** With what is attached to the session's draft; `steer` lets it join the running turn. */
  sendDraft(sessionId: string, mode: 'queue' | 'steer'): Promise<void>;
  sendInput(sessionId: string, text: string): Promise<void>;
  interrupt(sessionId: string): void;
  stop(sessionId: string): Promise<void>;
  rename(sessionId: string, title: string): Promise<void>;
}

/** Transcripts kept after leaving them, for a quick return. */
const KEPT = 6;

export function conversation(desk: Desk): Conversation {
  return {
    openSession: (sessionId) => openSession(desk, sessionId),
    closeSession: (sessionId) => desk.client().unsubscribe(sessionId),
    draftOf: (sessionId) => storedDraft(desk, sessionId),
    setDraft: (sessionId, text) => setDraft(desk, sessionId, text),
    sendDraft: (sessionId, mode) => sendDraft(desk, sessionId, mode),
    sendInput: (sessionId, text) => sendInput(desk, sessionId, text),
    interrupt: (sessionId) => interrupt(desk, sessionId),
    stop: (sessionId) => told(desk, desk.options.api.stop(sessionId)),
    rename: (sessionId, title) => told(desk, desk.options.api.describe(sessionId, { title })),
  };
}

function openSession(desk: Desk, sessionId: string): void {
  const { store, client } = desk;
  const state = store.getState();
  const held = state.open.get(sessionId);
  const draft = storedDraft(desk, sessionId);
  const open = new Map([...state.open].filter(([id]) => id !== sessionId).slice(-KEPT));
  // Who comes back to a session comes to its end.
  if (held !== undefined) open.set(sessionId, { transcript: held.transcript, older: held.older, jumps: held.jumps });
  store.setState({ open, drafts: new Map(state.drafts).set(sessionId, draft) });
  client().subscribe(sessionId, held?.transcript.lastSeq || undefined);
  void recallAttachments(desk, sessionId);
}

/** The composer is emptied only when the words, and what goes along with them, are kept elsewhere. */
async function sendDraft(desk: Desk, sessionId: string, mode: 'queue' | 'steer'): Promise<void> {
  const { drafts, attached } = desk.store.getState();
  const text = drafts.get(sessionId) ?? '';
  const along = attached.get(sessionId) ?? NOTHING;
  const problem = tooLargeProblem(text, along);
  if (problem !== undefined) return desk.store.setState((state) => withNotice(state, 'error', problem));
  if (isGoingAlready(desk.store.getState(), sessionId, text)) return;
  if (!(await send(desk, sessionId, text, { mode, ...contentOf(along) }))) return;
  clearDraft(desk, sessionId, text);
  if (desk.store.getState().attached.get(sessionId) === along) attaching(desk).detach(sessionId);
}

function contentOf({ pictures, context }: Attachments): Pick<InputFrame, 'images' | 'context'> {
  return {
    ...(pictures.length > 0 && { images: pictures.map(({ mediaType, base64 }) => ({ mediaType, base64 })) }),
    ...(context.length > 0 && { context }),
  };
}

type InputFrame = Extract<ClientFrame, { type: 'input' }>;

async function sendInput(desk: Desk, sessionId: string, text: string): Promise<void> {
  if (isGoingAlready(desk.store.getState(), sessionId, text)) return;
  if (await send(desk, sessionId, text, {})) clearDraft(desk, sessionId, text);
}

/** Whether the words are kept: if not, they stay in the composer until the server has them. */
async function send(desk: Desk, sessionId: string, text: string, more: Pick<InputFrame, 'mode' | 'images' | 'context'>): Promise<boolean> {
  const commandId = CommandId.parse(desk.options.newId());
  const frame: InputFrame = { type: 'input', sessionId: SessionId.parse(sessionId), commandId, text, ...more };
  const isKept = await desk.client().send({ commandId, sessionId, createdAt: desk.options.now(), frame });
  if (!isKept) desk.store.setState((state) => withNotice({ ...state, pageOnly: new Set(state.pageOnly).add(commandId) }, 'warning', UNKEPT));
  return isKept;
}

const UNKEPT =
  'This browser could not keep the message (its storage is full or forbidden). It stays in the composer until the server has it: leave the page open.';

function interrupt({ store, client, options }: Desk, sessionId: string): void {
  const said = client().say({ type: 'interrupt', sessionId: SessionId.parse(sessionId), commandId: CommandId.parse(options.newId()) });
  if (!said) store.setState((state) => withNotice(state, 'warning', 'Not interrupted: there is no connection to the server. Try again when it is back.'));
}

async function told({ store }: Desk, done: Promise<unknown>): Promise<void> {
  await done.catch((error: Error) => store.setState((state) => withNotice(state, 'error', error.message)));
}
