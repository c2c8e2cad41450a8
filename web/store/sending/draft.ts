import type { OutboxEntry } from '../../client/storage/outbox.ts';
import type { AppState } from '../state/app-state.ts';
import type { StoreContext } from '../state/store-context.ts';
import { attaching } from './attachments.ts';

/** Until the user is known, only what was typed in this page. */
export function storedDraft({ store, options }: StoreContext, sessionId: string): string {
  const { you, drafts } = store.getState();
  return you === undefined ? (drafts.get(sessionId) ?? '') : options.drafts.get(you.id, sessionId);
}

export function setDraft({ store, options }: StoreContext, sessionId: string, text: string): void {
  const { you } = store.getState();
  if (you !== undefined) options.drafts.set(you.id, sessionId, text);
  store.setState((state) => {
    const refusals = new Map(state.refusals);
    refusals.delete(sessionId);
    return { drafts: new Map(state.drafts).set(sessionId, text), refusals: state.refusals.has(sessionId) ? refusals : state.refusals };
  });
}

/** The same text, still in the composer because the browser couldn't store it: a second press must not send it twice. */
export const isAlreadySending = ({ unsent, pageOnly }: AppState, sessionId: string, text: string): boolean =>
  unsent.some((entry) => pageOnly.has(entry.commandId) && entry.sessionId === sessionId && entry.frame.type === 'input' && entry.frame.text === text);

export function clearDraft(context: StoreContext, sessionId: string, text: string): void {
  if (context.store.getState().drafts.get(sessionId) === text) setDraft(context, sessionId, '');
}

/** The server has a message that the browser couldn't store: now the composer can be cleared. */
export function settlePageOnly(context: StoreContext, { commandId, sessionId, frame }: OutboxEntry, isDurable: boolean): void {
  const pageOnly = new Set(context.store.getState().pageOnly);
  if (!pageOnly.delete(commandId) || frame.type !== 'input') return;
  context.store.setState({ pageOnly });
  if (!isDurable || context.store.getState().drafts.get(sessionId) !== frame.text) return;
  setDraft(context, sessionId, '');
  attaching(context).detach(sessionId);
}

export const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');
