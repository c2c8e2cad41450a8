import type { Setting } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { RpcId } from '../formats/json-rpc.ts';
import { print } from '../formats/json-rpc.ts';

/** What a request of ours was for. Codex returns its id with the answer, so the answer needs no memory of ours. */
export type Purpose =
  | { readonly for: 'hello' }
  | { readonly for: 'models' }
  /** The thread: begun, gone on with or copied. */
  | { readonly for: 'open'; readonly mode: string }
  | { readonly for: 'input'; readonly inputId: string }
  | { readonly for: 'compact'; readonly inputId: string }
  | { readonly for: 'interrupt'; readonly requestId: string }
  /** Codex takes settings only with a turn: this request does nothing, and its answer says that what came before it is over. */
  | ({ readonly for: 'set'; readonly commandId: CommandId } & Setting);

export const idOf = (purpose: Purpose): string => print(purpose);

const PURPOSES = new Set<unknown>(['hello', 'models', 'open', 'input', 'compact', 'interrupt', 'set'] satisfies Purpose['for'][]);

/** Ids are printed by `idOf` only; any other id belongs to a request that somebody else made. */
export function purposeOf(id: RpcId | null): Purpose | undefined {
  if (typeof id !== 'string' || !id.startsWith('{')) return undefined;
  try {
    const read: unknown = JSON.parse(id);
    return typeof read === 'object' && read !== null && 'for' in read && PURPOSES.has(read.for) ? (read as Purpose) : undefined;
  } catch {
    return undefined;
  }
}
