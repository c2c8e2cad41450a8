import { ItemId } from '../../protocol/ids.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import type { AgentPast, PastFacts, PastRecord } from '../adapter.ts';
import { linesOf, memoryFolder, messagesOf, type Remembered } from './memory.ts';

/** The agent's own memory, one file a conversation, all in one folder: it can go on with each of them anywhere. */
export const past: AgentPast = {
  root: memoryFolder,
  folder: ({ env }) => memoryFolder(env),
  idOf: (fileName) => /^([A-Za-z0-9_-]{1,128})\.jsonl$/.exec(fileName)?.[1],
  glance: (head, tail) => factsOf([...linesOf(head), ...linesOf(tail)]),
  reading,
  backwards: (text) =>
    linesOf(text)
      .flatMap(idsOf)
      .reverse()
      .map((id) => ({ id, canGoOn: true })),
};

function* reading(text: string): Generator<undefined, PastRecord> {
  const lines = linesOf(text);
  yield;
  return { ...factsOf(lines), observations: lines.flatMap(observationsOf), messageIds: lines.flatMap(idsOf) };
}

export function factsOf(lines: readonly Remembered[]): PastFacts {
  const cwd = textOf(lines.find((line) => line.type === 'session')?.cwd);
  const title = textOf(lines.find((line) => line.type === 'user')?.text)?.slice(0, TITLE_CHARS);
  const lastAt = lines.flatMap((line) => when(line).agentAt ?? []).at(-1);
  return { ...(cwd !== undefined && { cwd }), ...(title !== undefined && { title }), ...(lastAt !== undefined && { lastAt }) };
}

const TITLE_CHARS = 200;

/** What was said has the ids under which it was printed: those of the input, and of the last thing said in the turn. */
export function observationsOf(line: Remembered): readonly KeptObservation[] {
  const id = ItemId.safeParse(line.id);
  const text = textOf(line.text);
  if (!id.success || text === undefined) return [];
  if (line.type === 'user') return [{ type: 'user.message', itemId: id.data, uuid: id.data, text, origin: 'elsewhere', ...when(line) }];
  if (line.type !== 'answered') return [];
  const last = ItemId.safeParse(messagesOf(line).at(-1));
  const itemId = last.success ? last.data : ItemId.parse(`${id.data.slice(0, 200)}:answer`);
  const [, messageId, index] = /^(.+):(\d{1,9})$/.exec(itemId) ?? [];
  return [{ type: 'assistant.text', itemId, uuid: itemId, messageId: messageId ?? itemId, index: Number(index ?? 0), text, ...when(line) }];
}

function when({ at }: Remembered): { readonly agentAt?: string } {
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { agentAt: at } : {};
}

/** A copy can begin after an input, and after whatever was said in an answer. */
function idsOf(line: Remembered): readonly string[] {
  if (line.type === 'user') return typeof line.id === 'string' ? [line.id] : [];
  return messagesOf(line).filter((id) => typeof id === 'string');
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
