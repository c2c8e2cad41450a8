import type { FileChange } from '../../../protocol/event.ts';
import type { PastLine } from '../../port/archive.ts';
import { itemOf } from '../item-id.ts';
import type { Shape } from '../shape.ts';
import type { PiEntry } from './entry.ts';
import type { PiAssistantMessage, PiToolResult, PiUserMessage } from './message.ts';

/** Where Pi's derivatives differ. */
export interface PiDialect {
  /** The id a running process uses for this answer. */
  messageId(entry: PiEntry, message: PiAssistantMessage): string;
  /** The same for a person's message. */
  userItem(entry: PiEntry, message: PiUserMessage): string;
  /** The answer with an abort marked the way Pi marks it. */
  asPi(message: PiAssistantMessage): PiAssistantMessage;
  /** The tool name under which a person's own shell command is shown. */
  readonly shell: string;
  /** What a call changed in a file; the path as the agent wrote it. */
  changeOf(result: PiToolResult): FileChange | undefined;
  /** The conversation id in a file's path. */
  idIn(path: string): string | undefined;
}

/** What a line reports, without its position in the tree. */
export type LineResult = Pick<PastLine, 'observations' | 'facts' | 'spent' | 'copiedFrom' | 'unprinted'>;

export const NOTHING: LineResult = { observations: [] };

/** Undefined when the line doesn't have the known shape. */
export const shaped = <T>(shape: Shape<T>, { fields }: PiEntry, emit: (value: T) => LineResult): LineResult | undefined =>
  shape(fields) ? emit(fields) : undefined;

/** Ids and time of the line itself. */
export const whereOf = ({ id, timestamp }: PiEntry) => ({
  ...(id === undefined ? {} : { itemId: itemOf(id), uuid: id }),
  ...(timestamp === undefined ? {} : { agentAt: timestamp }),
});
