import type { Setting } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { jsonLine } from '../formats/json-object.ts';
import { purposeIds } from '../formats/purpose-id.ts';

/** Settings to apply once the conversation is known. Part of request ids: field names must not change. */
export interface SessionChoices {
  readonly cwd: string;
  readonly mode: string;
  readonly model?: string;
  readonly thinking?: string;
}

/** What our request was for. The Gateway returns the id with its answer, so we need no memory to read it. */
export type Purpose =
  /** The conversation is opened in steps, each with the answer of the one before. */
  | { readonly for: 'create'; readonly wish: SessionChoices }
  | { readonly for: 'resolve'; readonly sessionId: string; readonly copies: boolean; readonly wish: SessionChoices }
  | { readonly for: 'describe'; readonly sessionId: string; readonly key: string; readonly wish: SessionChoices }
  /** A leftover run is over, or the wait timed out. */
  | { readonly for: 'left'; readonly key: string; readonly wish: SessionChoices }
  | { readonly for: 'subscribe'; readonly key: string; readonly wish: SessionChoices }
  | { readonly for: 'open'; readonly cwd: string }
  | { readonly for: 'models' }
  | { readonly for: 'input'; readonly inputId: string }
  | { readonly for: 'interrupt'; readonly requestId: string }
  /** Stop a leftover run; nobody waits for the answer. */
  | { readonly for: 'stop' }
  /** Whether everything in a run was reported. */
  | { readonly for: 'history'; readonly runId: string }
  | { readonly for: 'settle'; readonly runId: string }
  /** The complete text of a message that arrived truncated. */
  | { readonly for: 'row'; readonly id: string }
  | { readonly for: 'answer'; readonly approval: string }
  | ({ readonly for: 'set'; readonly commandId: CommandId } & Setting);

const ids = purposeIds<Purpose>({
  create: true,
  resolve: true,
  describe: true,
  left: true,
  subscribe: true,
  open: true,
  models: true,
  input: true,
  interrupt: true,
  stop: true,
  history: true,
  settle: true,
  row: true,
  answer: true,
  set: true,
});

export const { purposeOf } = ids;

export const requestLine = (purpose: Purpose, method: string, params: object): string => jsonLine({ type: 'req', id: ids.idOf(purpose), method, params });

/** An input becomes a Gateway run with this prefix: such runs are ours. */
const OURS = 'sb:';
export const inputIdOf = (commandId: string): string => `${OURS}${commandId}`;
export const isOurs = (runId: string): boolean => runId.startsWith(OURS);
