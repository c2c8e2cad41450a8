import type { FileChange } from '../../protocol/event.ts';
import type { PastLine } from '../archive.ts';
import { itemOf } from './item-id.ts';
import type { PiEntry } from './pi-entry.ts';
import type { PiAssistantMessage, PiToolResult, PiUserMessage } from './pi-message.ts';
import type { Shape } from './shape.ts';

/** In what the relatives of Pi differ. */
export interface PiDialect {
  /** The id under which a living process tells this answer. */
  messageId(entry: PiEntry, message: PiAssistantMessage): string;
  /** The same of what a person said. */
  userItem(entry: PiEntry, message: PiUserMessage): string;
  /** An answer with a cut told in the words of Pi. */
  asPi(message: PiAssistantMessage): PiAssistantMessage;
  /** The tool that a person's own shell line is shown as. */
  readonly shell: string;
  /** What a call did to a file; the path as the agent wrote it. */
  changeOf(result: PiToolResult): FileChange | undefined;
  /** The conversation in a file of this path. */
  idIn(path: string): string | undefined;
}

/** What a line tells beside its place. */
export type Told = Pick<PastLine, 'observations' | 'facts' | 'spent' | 'copiedFrom' | 'unprinted'>;

export const NOTHING: Told = { observations: [] };

/** Undefined when the line does not have the shape that was seen. */
export const shaped = <T>(shape: Shape<T>, { fields }: PiEntry, tell: (value: T) => Told): Told | undefined => (shape(fields) ? tell(fields) : undefined);

/** The line itself as the source of what it tells. */
export const whereOf = ({ id, timestamp }: PiEntry) => ({
  ...(id === undefined ? {} : { itemId: itemOf(id), uuid: id }),
  ...(timestamp === undefined ? {} : { agentAt: timestamp }),
});
