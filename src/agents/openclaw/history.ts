import { join } from 'node:path';
import type { FileChange } from '../../protocol/event.ts';
import type { AgentArchive, RecordKind } from '../archive.ts';
import { contentOf } from '../formats/pi-content.ts';
import { patchOf } from '../formats/pi-diff.ts';
import type { PiAssistantMessage, PiToolResult } from '../formats/pi-message.ts';
import { piReader } from '../formats/pi-record.ts';
import { isObject, text } from '../formats/shape.ts';
import { glanceBy } from '../quick-look.ts';
import { stateOf } from './home.ts';
import { isOurs } from './request-id.ts';

/** Its rows are Pi's lines (header version 4), with ids that are its own from the start. */
const read = piReader({
  messageId: (entry, { timestamp }) => entry.id ?? `m${timestamp ?? 0}`,
  userItem: (entry, message) => inputOf(message) ?? entry.id ?? `u${message.timestamp ?? 0}`,
  asPi,
  shell: 'exec',
  changeOf,
  idIn: idInFile,
});

/** Below its state folder: `agents/<agent>/agent/openclaw-agent.sqlite`; before 2026.5 or so `agents/<agent>/sessions/<session>.jsonl`. */
export const archive: AgentArchive = { version: 1, roots: (env) => [join(stateOf(env), 'agents')], recordOf, glance: glanceBy(read), read };

function recordOf(path: string): RecordKind | undefined {
  if (/^[^/]+\/agent\/openclaw-agent\.sqlite$/.test(path)) return DATABASE;
  const agentSessionId = /^[^/]+\/sessions\/[^/]+$/.test(path) ? idInFile(path) : undefined;
  return agentSessionId === undefined ? undefined : { kind: 'lines', agentSessionId };
}

/** The id of an input of ours, by which a message of it is known. */
export function inputOf({ idempotencyKey }: Readonly<Record<string, unknown>>): string | undefined {
  const id = text(idempotencyKey) ? /^(.+):user$/s.exec(idempotencyKey)?.[1] : undefined;
  return id !== undefined && isOurs(id) ? id : undefined;
}

/** Rows are counted from 0 in each conversation; a row above 0 is what is asked for, and so they are told from 1. */
const DATABASE: RecordKind = {
  kind: 'database',
  conversations: 'SELECT session_id AS id, MAX(seq) + 1 AS lastRow FROM transcript_events GROUP BY session_id',
  rows: 'SELECT seq + 1 AS row, event_json AS line, event_zstd AS packed FROM transcript_events WHERE session_id = ?1 AND seq >= ?2 ORDER BY seq LIMIT ?3',
};

/** Files of old versions, which were Pi's (version 3). None was seen: untested. A trajectory beside one is not a conversation. */
function idInFile(path: string): string | undefined {
  return /(?:^|\/)([A-Za-z0-9][\w-]*)\.jsonl$/.exec(path)?.[1];
}

/** An abort through the Gateway is written as an answer that ended well, by a model that is none (2026.9.6). */
function asPi(message: PiAssistantMessage): PiAssistantMessage {
  const { openclawAbort: abort } = message;
  const isAborted = isObject(abort) && abort.aborted === true;
  return isAborted ? { ...message, stopReason: 'aborted', provider: undefined, model: undefined } : message;
}

/** Writing and editing both tell their patch; it begins with the name of the file. */
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
