import type { CommandId } from '../../protocol/ids.ts';
import { purposeIds } from '../formats/purpose-id.ts';

/** What our request was for. Pi returns the id with its answer, so we need no memory to read it. */
export type Purpose =
  /** The handshake; Pi doesn't report the folder. */
  | { readonly for: 'hello'; readonly cwd: string }
  | { readonly for: 'list' }
  /** A message; one that starts with a slash may run without a turn. */
  | { readonly for: 'input'; readonly inputId: string; readonly isSlash: boolean }
  /** Was that message a command that has already run? */
  | { readonly for: 'slash'; readonly inputId: string }
  /** Start and end of a shell command or compaction. */
  | { readonly for: 'begin'; readonly inputId: string; readonly errand: DirectCommand; readonly argument: string }
  | { readonly for: 'end'; readonly inputId: string; readonly errand: DirectCommand }
  /** Is the turn over? */
  | { readonly for: 'settle' }
  | { readonly for: 'set'; readonly commandId: CommandId; readonly setting: 'model' | 'mode' | 'thinking'; readonly value: string }
  /** Drop messages that were accepted but not taken. */
  | { readonly for: 'clear' }
  /** Nobody waits for the answer. */
  | { readonly for: 'aside' };

export type DirectCommand = 'shell' | 'compact';

export const { idOf, purposeOf } = purposeIds<Purpose>({
  hello: true,
  list: true,
  input: true,
  slash: true,
  begin: true,
  end: true,
  settle: true,
  set: true,
  clear: true,
  aside: true,
});
