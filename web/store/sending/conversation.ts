import type { ClientFrame } from '../../../src/protocol/frame.ts';
import { CommandId, SessionId } from '../../../src/protocol/ids.ts';
import { type Attachments, NO_ATTACHMENTS } from '../../client/storage/attachments.ts';
import { noticeOnError, withNotice } from '../state/notices.ts';
import type { StoreContext } from '../state/store-context.ts';
import { attaching, loadAttachments, tooLargeProblem } from './attachments.ts';
import { clearDraft, isAlreadySending, setDraft, storedDraft } from './draft.ts';

export interface Conversation {
  openSession(sessionId: string): void;
  closeSession(sessionId: string): void;
  draftOf(sessionId: string): string;
  setDraft(sessionId: string, text: string): void;
  /** With the draft's attachments; `steer` sends it now, `resume` also resumes a paused queue. */
  sendDraft(sessionId: string, mode: 'queue' | 'steer' | 'resume'): Promise<void>;
  sendInput(sessionId: string, text: string): Promise<void>;
  interrupt(sessionId: string): void;
  stop(sessionId: string): Promise<void>;
  rename(sessionId: string, title: string): Promise<void>;
}

/** Transcripts kept after leaving a session, so that going back is fast. */
const KEPT = 6;

export function conversation(context: StoreContext): Conversation {
  return {
    openSession: (sessionId) => openSession(context, sessionId),
    closeSession: (sessionId) => context.client().unsubscribe(sessionId),
    draftOf: (sessionId) => storedDraft(context, sessionId),
    setDraft: (sessionId, text) => setDraft(context, sessionId, text),
    sendDraft: (sessionId, mode) => sendDraft(context, sessionId, mode),
    sendInput: (sessionId, text) => sendInput(context, sessionId, text),
    interrupt: (sessionId) => interrupt(context, sessionId),
    stop: (sessionId) => noticeOnError(context, context.options.api.stop(sessionId)),
    rename: async (sessionId, title) => void (await noticeOnError(context, context.options.api.describe(sessionId, { title }))),
  };
}

function openSession(context: StoreContext, sessionId: string): void {
  const { store, client } = context;
  const state = store.getState();
  const known = state.open.get(sessionId);
  const draft = storedDraft(context, sessionId);
  const open = new Map([...state.open].filter(([id]) => id !== sessionId).slice(-KEPT));
  // Coming back to a session shows its end.
  if (known !== undefined) open.set(sessionId, { transcript: known.transcript, older: known.older, jumps: known.jumps });
  store.setState({ open, drafts: new Map(state.drafts).set(sessionId, draft) });
  client().subscribe(sessionId, known?.transcript.lastSeq || undefined);
  void loadAttachments(context, sessionId);
}

/** Clears the composer only once the message and its attachments are stored. */
async function sendDraft(context: StoreContext, sessionId: string, mode: 'queue' | 'steer' | 'resume'): Promise<void> {
  const { drafts, attached } = context.store.getState();
  const text = drafts.get(sessionId) ?? '';
  const along = attached.get(sessionId) ?? NO_ATTACHMENTS;
  const problem = tooLargeProblem(text, along);
  if (problem !== undefined) return context.store.setState((state) => withNotice(state, 'error', problem));
  if (isAlreadySending(context.store.getState(), sessionId, text)) return;
  if (!(await send(context, sessionId, text, { ...(mode === 'resume' ? { mode: 'queue', resume: true } : { mode }), ...contentOf(along) }))) return;
  clearDraft(context, sessionId, text);
  if (context.store.getState().attached.get(sessionId) === along) attaching(context).detach(sessionId);
}

function contentOf({ pictures, context }: Attachments): Pick<InputFrame, 'images' | 'context'> {
  return {
    ...(pictures.length > 0 && { images: pictures.map(({ mediaType, base64 }) => ({ mediaType, base64 })) }),
    ...(context.length > 0 && { context }),
  };
}

type InputFrame = Extract<ClientFrame, { type: 'input' }>;

async function sendInput(context: StoreContext, sessionId: string, text: string): Promise<void> {
  if (isAlreadySending(context.store.getState(), sessionId, text)) return;
  if (await send(context, sessionId, text, {})) clearDraft(context, sessionId, text);
}

/** Whether the browser stored it: if not, the text stays in the composer until the server has it. */
async function send(
  context: StoreContext,
  sessionId: string,
  text: string,
  more: Pick<InputFrame, 'mode' | 'images' | 'context' | 'resume'>,
): Promise<boolean> {
  const commandId = CommandId.parse(context.options.newId());
  const frame: InputFrame = { type: 'input', sessionId: SessionId.parse(sessionId), commandId, text, ...more };
  followOwnMessage(context, sessionId, more.mode);
  const isStored = await context.client().send({ commandId, sessionId, createdAt: context.options.now(), frame });
  if (!isStored) context.store.setState((state) => withNotice({ ...state, pageOnly: new Set(state.pageOnly).add(commandId) }, 'warning', NOT_SAVED));
  return isStored;
}

const WORKING: ReadonlySet<string | undefined> = new Set(['starting', 'busy', 'waiting']);

/** A queued message is shown above the composer; any other one appears at the end of the transcript. */
function followOwnMessage({ store }: StoreContext, sessionId: string, mode: InputFrame['mode']): void {
  store.setState((state) => {
    const opened = state.open.get(sessionId);
    if (opened === undefined || (mode !== 'steer' && WORKING.has(state.sessions.get(sessionId)?.status))) return state;
    return { ...state, open: new Map(state.open).set(sessionId, { ...opened, sent: (opened.sent ?? 0) + 1 }) };
  });
}

const NOT_SAVED = 'This browser couldn’t save the message (storage is full or blocked). Keep this page open until the message is sent.';

function interrupt({ store, client, options }: StoreContext, sessionId: string): void {
  const wasSent = client().say({ type: 'interrupt', sessionId: SessionId.parse(sessionId), commandId: CommandId.parse(options.newId()) });
  if (!wasSent)
    store.setState((state) => withNotice(state, 'warning', 'Not interrupted: there is no connection to the server. Try again when you are back online.'));
}
