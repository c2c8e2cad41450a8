import { isRefused } from '../../client/http/api.ts';
import type { Desk } from '../cockpit.ts';
import type { AppState } from '../state/app-state.ts';
import { withNotice } from '../state/notices.ts';
import { setDraft } from './draft.ts';
import { rescue } from './editing.ts';
import { twice } from './presses.ts';

/** Asked twice under one id when the answer is lost. Words that are not known to have arrived go to the composer, until the event says that they did. */
export async function editWaiting(desk: Desk, sessionId: string, target: string, text: string): Promise<void> {
  const { api, newId } = desk.options;
  const commandId = newId();
  const failure = await twice(() => api.changeWaiting(sessionId, target, { text }, commandId)).then(
    () => undefined,
    (error: Error) => error,
  );
  if (failure === undefined || isEdited(desk.store.getState(), sessionId, target, text)) return;
  rescue(desk, sessionId, text);
  desk.store.setState((state) => withNotice(state, 'warning', `${failure.message} Your changed words are in the composer.`));
  if (!isRefused(failure)) takeBackOnceEdited(desk, sessionId, target, text);
}

const isEdited = (state: AppState, sessionId: string, target: string, text: string): boolean =>
  state.open.get(sessionId)?.transcript.inputs.get(target)?.text === text;

/** Until a person changes them in the composer: then they are other words. */
function takeBackOnceEdited(desk: Desk, sessionId: string, target: string, text: string): void {
  const leave = desk.store.subscribe((state) => {
    const typed = state.drafts.get(sessionId) ?? '';
    const before = typed === text ? '' : typed.slice(0, -`\n\n${text}`.length);
    if (typed !== text && typed !== `${before}\n\n${text}`) return leave();
    if (!isEdited(state, sessionId, target, text)) return;
    leave();
    setDraft(desk, sessionId, before);
  });
}
