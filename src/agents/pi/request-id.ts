import type { CommandId } from '../../protocol/ids.ts';
import { print } from './print.ts';

/** What a request of ours was for. Pi returns the id of a request with its answer, so the answer needs no memory of ours. */
export type Purpose =
  /** The handshake; the folder is what Pi does not tell. */
  | { readonly for: 'hello'; readonly cwd: string }
  | { readonly for: 'list' }
  /** A message; one that begins with a slash may be carried out without a turn. */
  | { readonly for: 'input'; readonly inputId: string; readonly isSlash: boolean }
  /** Was that message a command, already carried out? */
  | { readonly for: 'slash'; readonly inputId: string }
  /** A shell line or a compaction begins, and ends. */
  | { readonly for: 'begin'; readonly inputId: string; readonly errand: Errand; readonly argument: string }
  | { readonly for: 'end'; readonly inputId: string; readonly errand: Errand }
  /** Is the work over? */
  | { readonly for: 'settle' }
  | { readonly for: 'set'; readonly commandId: CommandId; readonly setting: 'model' | 'mode' | 'thinking'; readonly value: string }
  /** Messages that were accepted and not taken are to be forgotten. */
  | { readonly for: 'clear' }
  /** Asked on the side: nobody waits for the answer. */
  | { readonly for: 'aside' };

export type Errand = 'shell' | 'compact';

export const idOf = (purpose: Purpose): string => print(purpose);

const PURPOSES = new Set<unknown>(['hello', 'list', 'input', 'slash', 'begin', 'end', 'settle', 'set', 'clear', 'aside'] satisfies Purpose['for'][]);

/** Ids are printed by `idOf` only; any other id belongs to a request that somebody else made. */
export function purposeOf(id: string | undefined): Purpose | undefined {
  if (id === undefined || !id.startsWith('{')) return undefined;
  try {
    const read: unknown = JSON.parse(id);
    return typeof read === 'object' && read !== null && 'for' in read && PURPOSES.has(read.for) ? (read as Purpose) : undefined;
  } catch {
    return undefined;
  }
}
