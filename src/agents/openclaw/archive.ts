import { join } from 'node:path';
import type { FileChange } from '../../protocol/event.ts';
import { attempt } from '../formats/fold.ts';
import { contentOf } from '../formats/pi-format/content.ts';
import { patchOf } from '../formats/pi-format/diff.ts';
import type { PiAssistantMessage, PiToolResult } from '../formats/pi-format/message.ts';
import { piReader } from '../formats/pi-format/record.ts';
import { isObject, text } from '../formats/shape.ts';
import type { AgentArchive, PastLine, RecordContext, RecordKind } from '../port/archive.ts';
import { factsFromLines } from '../port/record-facts.ts';
import { readOldLine } from './old-lines.ts';
import { isOurs } from './request-id.ts';
import { stateFolder } from './state-folder.ts';

/** Its rows are Pi's lines (header version 4), each with its own id. */
const readPi = piReader({
  messageId: (entry, { timestamp }) => entry.id ?? `m${timestamp ?? 0}`,
  userItem: (entry, message) => inputOf(message) ?? entry.id ?? `u${message.timestamp ?? 0}`,
  asPi,
  shell: 'exec',
  changeOf,
  idIn: idInFile,
});

/** Rows are Pi's lines; files of old versions have more kinds. */
function read(raw: string, context: RecordContext, place?: number): PastLine {
  const old = attempt(() => readOldLine(raw, place));
  if (old === undefined) return readPi(raw, context);
  if ('observations' in old) return { observations: old.observations, ...(old.at === undefined ? {} : { facts: { lastAt: old.at } }) };
  const line = readPi(old.line, context);
  return old.also.length === 0 ? line : { ...line, observations: [...line.observations, ...old.also] };
}

/** Below its state folder: `agents/<agent>/agent/openclaw-agent.sqlite`; before 2026.5 or so `agents/<agent>/sessions/<session>.jsonl`. */
export const archive: AgentArchive = { version: 2, roots: (env) => [join(stateFolder(env), 'agents')], recordOf, readFacts: factsFromLines(read), read };

function recordOf(path: string): RecordKind | undefined {
  if (/^[^/]+\/agent\/openclaw-agent\.sqlite$/.test(path)) return DATABASE;
  const agentSessionId = /^[^/]+\/sessions\/[^/]+$/.test(path) ? idInFile(path) : undefined;
  return agentSessionId === undefined ? undefined : { kind: 'lines', agentSessionId };
}

/** The id of our input, if the message is one. */
export function inputOf({ idempotencyKey }: Readonly<Record<string, unknown>>): string | undefined {
  const id = text(idempotencyKey) ? /^(.+):user$/s.exec(idempotencyKey)?.[1] : undefined;
  return id !== undefined && isOurs(id) ? id : undefined;
}

/** Rows are numbered from 0 in each conversation; queries ask for rows above 0, so they are numbered from 1 here. */
const DATABASE: RecordKind = {
  kind: 'database',
  conversations: 'SELECT session_id AS id, MAX(seq) + 1 AS lastRow FROM transcript_events GROUP BY session_id',
  rows: 'SELECT seq + 1 AS row, event_json AS line, event_zstd AS packed FROM transcript_events WHERE session_id = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3',
};

/** Files of old versions (`old-lines.ts`); never seen. A trajectory file next to one is not a conversation. */
function idInFile(path: string): string | undefined {
  return /(?:^|\/)([A-Za-z0-9][\w-]*)\.jsonl$/.exec(path)?.[1];
}

/** The Gateway records an abort as a successful answer of a model that doesn't exist (2026.9.6). */
function asPi(message: PiAssistantMessage): PiAssistantMessage {
  const { openclawAbort: abort } = message;
  const isAborted = isObject(abort) && abort.aborted === true;
  return isAborted ? { ...message, stopReason: 'aborted', provider: undefined, model: undefined } : message;
}

/** Writes and edits both include their patch; it starts with the file name. */
function changeOf(result: PiToolResult): FileChange | undefined {
  const { details } = result;
  const patch = patchOf(details);
  if (patch === undefined || !isObject(details) || details.changed === false) return undefined;
  const path = pathIn(details.patch) ?? pathSaid(result);
  return path === undefined ? undefined : { kind: details.created === true ? 'create' : 'edit', path, patch };
}

const pathIn = (patch: unknown): string | undefined =>
  text(patch) ? /^\+\+\+ ([^\n\t]+)/m.exec(patch.slice(0, Math.max(0, patch.indexOf('@@ '))))?.[1] : undefined;

const pathSaid = ({ content }: PiToolResult): string | undefined => /^Successfully [^\n]* (?:to|in) ([^\n]+?)\.?$/.exec(contentOf(content).text)?.[1];
