import { createHash } from 'node:crypto';
import type { Journal } from '../../journal/journal.ts';
import type { Command, Receipt, Refusal, WorkspaceCommand } from '../../protocol/command.ts';
import type { PlanCommand } from '../../protocol/plan.ts';

/** A hash of the command without its id. */
export function contentOf(command: Command | WorkspaceCommand | PlanCommand): string {
  const { commandId: _, ...rest } = command;
  return createHash('sha256').update(JSON.stringify(rest)).digest('hex');
}

/** A known command id returns its old receipt; the same id with other content is a mistake by the sender. */
export function repeated(journal: Pick<Journal, 'receipt'>, { commandId }: Pick<Command, 'commandId'>, content: string): Receipt | Refusal | undefined {
  const stored = journal.receipt(commandId);
  if (stored === undefined) return undefined;
  if (stored.content !== content) return { refused: 'conflict', message: 'This command id was already used for something else. Use a new one.' };
  const { content: _, ...receipt } = stored;
  return receipt;
}
