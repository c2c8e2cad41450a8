import type { Setting } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { purposeIds } from '../formats/purpose-id.ts';

/** What our request was for. Codex returns the id with its answer, so we need no memory to read it. */
export type Purpose =
  | { readonly for: 'hello' }
  | { readonly for: 'models' }
  /** The thread is started, resumed or forked. */
  | { readonly for: 'open'; readonly mode: string }
  | { readonly for: 'input'; readonly inputId: string }
  | { readonly for: 'compact'; readonly inputId: string }
  | { readonly for: 'interrupt'; readonly requestId: string }
  /** Codex takes settings only with a turn: this request does nothing, and its answer says that everything before it is done. */
  | ({ readonly for: 'set'; readonly commandId: CommandId } & Setting);

const INPUT = { inputId: 'string' } as const;

export const { idOf, purposeOf } = purposeIds<Purpose>({
  hello: true,
  models: true,
  open: { mode: 'string' },
  input: INPUT,
  compact: INPUT,
  interrupt: { requestId: 'string' },
  set: { commandId: 'string', setting: 'string', value: 'string' },
});
