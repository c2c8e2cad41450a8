import type { OutboxEntry } from '../../client/storage/outbox.ts';
import type { Desk } from '../cockpit.ts';
import type { AppState } from '../state/app-state.ts';
import { attaching } from './attachments.ts';

/** Until it is known who is here, only what was typed in this page. */
export function storedDraft({ store, options }: Desk, sessionId: string): string {
  const { you, drafts } = store.getState();
  return you === undefined ? (drafts.get(sessionId) ?? '') : options.drafts.get(you.id, sessionId);
}

export function setDraft({ store, options }: Desk, sessionId: string, text: string): void {
  const { you } = store.getState();
  if (you !== undefined) options.drafts.set(you.id, sessionId, text);
  store.setState((state) => {
    const refusals = new Map(state.refusals);
    refusals.delete(sessionId);
    return { drafts: new Map(state.drafts).set(sessionId, text), refusals: state.refusals.has(sessionId) ? refusals : state.refusals };
  });
}

/** The same words, still in the composer because the browser could not keep them: pressing again must not send them twice. */
export const isGoingAlready = ({ unsent, pageOnly }: AppState, sessionId: string, text: string): boolean =>
  unsent.some((entry) => pageOnly.has(entry.commandId) && entry.sessionId === sessionId && entry.frame.type === 'input' && entry.frame.text === text);

export function clearDraft(desk: Desk, sessionId: string, text: string): void {
  if (desk.store.getState().drafts.get(sessionId) === text) setDraft(desk, sessionId, '');
}

/** The server has words that the browser could not keep: now the composer may be emptied. */
export function settlePageOnly(desk: Desk, { commandId, sessionId, frame }: OutboxEntry, isDurable: boolean): void {
  const pageOnly = new Set(desk.store.getState().pageOnly);
  if (!pageOnly.delete(commandId) || frame.type !== 'input') return;
  desk.store.setState({ pageOnly });
  if (!isDurable || desk.store.getState().drafts.get(sessionId) !== frame.text) return;
  setDraft(desk, sessionId, '');
  attaching(desk).detach(sessionId);
}

export const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');
