import type { Setting } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { print } from '../formats/json-rpc.ts';

/** What was asked for a session, as far as it has to be said once its conversation is known. */
export interface Wish {
  readonly cwd: string;
  readonly mode: string;
  readonly model?: string;
  readonly thinking?: string;
}

/** What a request of ours was for. The Gateway returns its id with the answer, so the answer needs no memory of ours. */
export type Purpose =
  /** The conversation is opened in steps, each with the answer of the one before. */
  | { readonly for: 'create'; readonly wish: Wish }
  | { readonly for: 'resolve'; readonly sessionId: string; readonly copies: boolean; readonly wish: Wish }
  | { readonly for: 'describe'; readonly sessionId: string; readonly key: string; readonly wish: Wish }
  /** A run that was left is over, or will not be. */
  | { readonly for: 'left'; readonly key: string; readonly wish: Wish }
  | { readonly for: 'subscribe'; readonly key: string; readonly wish: Wish }
  | { readonly for: 'open'; readonly cwd: string }
  | { readonly for: 'models' }
  | { readonly for: 'input'; readonly inputId: string }
  | { readonly for: 'interrupt'; readonly requestId: string }
  /** What was left over is stopped; nobody waits for it. */
  | { readonly for: 'stop' }
  /** Whether everything of a run has been told. */
  | { readonly for: 'history'; readonly runId: string }
  | { readonly for: 'settle'; readonly runId: string }
  /** The whole of a message that was told cut. */
  | { readonly for: 'row'; readonly id: string }
  | { readonly for: 'answer'; readonly approval: string }
  | ({ readonly for: 'set'; readonly commandId: CommandId } & Setting);

const PURPOSES = new Set<unknown>([
  'create',
  'resolve',
  'describe',
  'left',
  'subscribe',
  'open',
  'models',
  'input',
  'interrupt',
  'stop',
  'history',
  'settle',
  'row',
  'answer',
  'set',
] satisfies Purpose['for'][]);

export const requestLine = (purpose: Purpose, method: string, params: object): string => print({ type: 'req', id: print(purpose), method, params });

/** Ids are printed here only; any other id belongs to a request that somebody else made. */
export function purposeOf(id: string): Purpose | undefined {
  if (!id.startsWith('{')) return undefined;
  try {
    const read: unknown = JSON.parse(id);
    return typeof read === 'object' && read !== null && 'for' in read && PURPOSES.has(read.for) ? (read as Purpose) : undefined;
  } catch {
    return undefined;
  }
}

/** An input is a run of the Gateway under this name: what begins so came from here. */
const OURS = 'sb:';
export const inputIdOf = (commandId: string): string => `${OURS}${commandId}`;
export const isOurs = (runId: string): boolean => runId.startsWith(OURS);
