import { isRefused } from '../../client/http/api.ts';
import type { AppState } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';
import type { StoreContext } from '../state/store-context.ts';
import { setDraft, storedDraft } from './draft.ts';
import { retryOnce } from './retry.ts';

/** An edit of a queued message that is not saved yet. */
export interface UnsavedEdit {
  readonly commandId: string;
  readonly text: string;
}

export interface Editing {
  /** The edit that was open when the page was left. */
  unsavedEditOf(sessionId: string): UnsavedEdit | undefined;
  setUnsavedEdit(sessionId: string, unsaved: UnsavedEdit | undefined): void;
  /** Moves an edit to the composer if its message is no longer queued. */
  rescue(sessionId: string, text: string): void;
  /** The same for an edit from before a reload. */
  rescueUnsavedEdit(sessionId: string, waiting: readonly string[]): void;
}

export function editing(context: StoreContext): Editing {
  return {
    unsavedEditOf: (sessionId) => unsavedEditIn(context, sessionId),
    setUnsavedEdit: (sessionId, unsaved) => setDraft(context, editKey(sessionId), unsaved === undefined ? '' : `${unsaved.commandId}\n${unsaved.text}`),
    rescue: (sessionId, text) => rescue(context, sessionId, text),
    rescueUnsavedEdit: (sessionId, waiting) => {
      const unsaved = unsavedEditIn(context, sessionId);
      if (unsaved === undefined || waiting.includes(unsaved.commandId)) return;
      setDraft(context, editKey(sessionId), '');
      rescue(context, sessionId, unsaved.text);
    },
  };
}

/** Next to the session's own draft; no session id contains a colon. */
const editKey = (sessionId: string): string => `${sessionId}:editing`;

function unsavedEditIn(context: StoreContext, sessionId: string): UnsavedEdit | undefined {
  const stored = storedDraft(context, editKey(sessionId));
  const end = stored.indexOf('\n');
  return end < 0 ? undefined : { commandId: stored.slice(0, end), text: stored.slice(end + 1) };
}

function rescue(context: StoreContext, sessionId: string, text: string): void {
  if (text.trim() === '') return;
  const typed = context.store.getState().drafts.get(sessionId) ?? '';
  setDraft(context, sessionId, typed === '' ? text : `${typed}\n\n${text}`);
}

/** Retried under the same id if the answer is lost. An edit that may not have arrived goes to the composer until the event says that it did. */
export async function editQueued(context: StoreContext, sessionId: string, target: string, text: string): Promise<void> {
  const { api, newId } = context.options;
  const commandId = newId();
  const failure = await retryOnce(() => api.changeQueued(sessionId, target, { text }, commandId)).then(
    () => undefined,
    (error: Error) => error,
  );
  if (failure === undefined || isEdited(context.store.getState(), sessionId, target, text)) return;
  rescue(context, sessionId, text);
  context.store.setState((state) => withNotice(state, 'warning', `${failure.message} Your edit is in the message field.`));
  if (!isRefused(failure)) takeBackOnceEdited(context, sessionId, target, text);
}

const isEdited = (state: AppState, sessionId: string, target: string, text: string): boolean =>
  state.open.get(sessionId)?.transcript.inputs.get(target)?.text === text;

/** Unless the text is changed in the composer: then it is a different message. */
function takeBackOnceEdited(context: StoreContext, sessionId: string, target: string, text: string): void {
  const unsubscribe = context.store.subscribe((state) => {
    const typed = state.drafts.get(sessionId) ?? '';
    const before = typed === text ? '' : typed.slice(0, -`\n\n${text}`.length);
    if (typed !== text && typed !== `${before}\n\n${text}`) return unsubscribe();
    if (!isEdited(state, sessionId, target, text)) return;
    unsubscribe();
    setDraft(context, sessionId, before);
  });
}
