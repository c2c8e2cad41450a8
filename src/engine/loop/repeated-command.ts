import { createHash } from 'node:crypto';
import type { Journal } from '../../journal/journal.ts';
import type { Command, HouseCommand, Receipt, Refusal } from '../../protocol/command.ts';

/** What a command asks for, whatever it is called. */
export function contentOf(command: Command | HouseCommand): string {
  const { commandId: _, ...rest } = command;
  return createHash('sha256').update(JSON.stringify(rest)).digest('hex');
}

/** A known command id returns its old receipt; the same id with other content is a mistake of the sender. */
export function repeated(journal: Pick<Journal, 'receipt'>, { commandId }: Command | HouseCommand, content: string): Receipt | Refusal | undefined {
  const stored = journal.receipt(commandId);
  if (stored === undefined) return undefined;
  if (stored.content !== content) return { refused: 'conflict', message: 'This command id was used for something else before. Use a fresh one.' };
  const { content: _, ...receipt } = stored;
  return receipt;
}
