import type { CommandId } from '../../protocol/ids.ts';
import type { Opening } from '../adapter.ts';

/** What a request of ours was for. An agent returns the id of a request with its answer, so the answer needs no memory of ours. */
export type Purpose =
  /** The handshake, with what the session shall be when it is done. */
  | { readonly for: 'hello'; readonly wish: Wish }
  | { readonly for: 'new'; readonly wish: Wish }
  | { readonly for: 'load'; readonly wish: Wish }
  /** A mark before a message: its answer says that the agent has come to it, which it does not tell by itself. */
  | { readonly for: 'begin'; readonly inputId: string }
  /** A message; its answer is the end of the turn. */
  | { readonly for: 'input'; readonly inputId: string; readonly isSlash: boolean }
  /** With a command, it is a person who waits for it. */
  | { readonly for: 'set'; readonly commandId?: CommandId; readonly setting: 'model' | 'mode' | 'thinking'; readonly value: string };

/** What a person chose for the session, as far as the protocol has words for it. */
export interface Wish {
  readonly cwd: string;
  readonly mode: Opening['mode'];
  readonly sessionId: string;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly thinking?: string;
}

/** Ids of people's commands are in it: half a surrogate pair, which may not come back as it went, becomes U+FFFD. */
export const idOf = (purpose: Purpose): string =>
  JSON.stringify(purpose, (_key, part: unknown) => (typeof part === 'string' ? part.replace(/\p{Surrogate}/gu, '\uFFFD') : part));

const PURPOSES = new Set<unknown>(['hello', 'new', 'load', 'begin', 'input', 'set'] satisfies Purpose['for'][]);

/** Ids are printed by `idOf` only; any other id belongs to a request that somebody else made. */
export function purposeOf(id: string | number | null): Purpose | undefined {
  if (typeof id !== 'string' || !id.startsWith('{')) return undefined;
  try {
    const read: unknown = JSON.parse(id);
    return typeof read === 'object' && read !== null && 'for' in read && PURPOSES.has(read.for) ? (read as Purpose) : undefined;
  } catch {
    return undefined;
  }
}
