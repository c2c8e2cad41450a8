import { ItemId } from '../../protocol/ids.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import type { AgentPast, PastFacts, PastRecord } from '../port/adapter.ts';
import { linesOf, messagesOf, type SessionFileLine, sessionFolder } from './program/session-file.ts';

/** The agent's session files, one per conversation, all in one folder: each can be resumed anywhere. */
export const past: AgentPast = {
  root: sessionFolder,
  folder: ({ env }) => sessionFolder(env),
  idOf: (fileName) => /^([A-Za-z0-9_-]{1,128})\.jsonl$/.exec(fileName)?.[1],
  readFacts: (head, tail) => factsOf([...linesOf(head), ...linesOf(tail)]),
  reading,
  backwards: (text) =>
    linesOf(text)
      .flatMap(idsOf)
      .reverse()
      .map((id) => ({ id, canContinue: true })),
};

function* reading(text: string): Generator<undefined, PastRecord> {
  const lines = linesOf(text);
  yield;
  return { ...factsOf(lines), observations: lines.flatMap(observationsOf), messageIds: lines.flatMap(idsOf) };
}

export function factsOf(lines: readonly SessionFileLine[]): PastFacts {
  const cwd = textOf(lines.find((line) => line.type === 'session')?.cwd);
  const title = textOf(lines.find((line) => line.type === 'user')?.text)?.slice(0, TITLE_CHARS);
  const lastAt = lines.flatMap((line) => when(line).agentAt ?? []).at(-1);
  return { ...(cwd !== undefined && { cwd }), ...(title !== undefined && { title }), ...(lastAt !== undefined && { lastAt }) };
}

const TITLE_CHARS = 200;

/** Messages keep the ids they were printed with: the input's id, and the id of the last text in the turn. */
export function observationsOf(line: SessionFileLine): readonly KeptObservation[] {
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

function when({ at }: SessionFileLine): { readonly agentAt?: string } {
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { agentAt: at } : {};
}

/** A copy can start after an input, and after any text of an answer. */
function idsOf(line: SessionFileLine): readonly string[] {
  if (line.type === 'user') return typeof line.id === 'string' ? [line.id] : [];
  return messagesOf(line).filter((id) => typeof id === 'string');
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
