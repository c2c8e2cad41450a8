import type { ItemId } from '../../protocol/ids.ts';
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

function factsOf(lines: readonly Remembered[]): PastFacts {
  const cwd = textOf(lines.find((line) => line.type === 'session')?.cwd);
  const title = textOf(lines.find((line) => line.type === 'user')?.text);
  return { ...(cwd !== undefined && { cwd }), ...(title !== undefined && { title }) };
}

function observationsOf({ type, id, text }: Remembered): readonly KeptObservation[] {
  const said = textOf(text);
  if (typeof id !== 'string' || said === undefined) return [];
  if (type === 'user') return [{ type: 'user.message', itemId: id as ItemId, uuid: id, text: said, origin: 'elsewhere' }];
  if (type !== 'answered') return [];
  return [{ type: 'assistant.text', itemId: `${id}:answer` as ItemId, messageId: `${id}:answer`, index: 0, text: said }];
}

/** A copy can begin after an input, and after whatever was said in an answer. */
function idsOf(line: Remembered): readonly string[] {
  if (line.type === 'user') return typeof line.id === 'string' ? [line.id] : [];
  return messagesOf(line).filter((id) => typeof id === 'string');
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
