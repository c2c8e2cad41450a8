import type { FileChange } from '../../../protocol/event.ts';
import { contentOf } from '../../formats/pi-format/content.ts';
import { patchOf } from '../../formats/pi-format/diff.ts';
import type { PiEntry } from '../../formats/pi-format/entry.ts';
import type { PiAssistantMessage, PiToolResult, PiUserMessage } from '../../formats/pi-format/message.ts';
import { piReader } from '../../formats/pi-format/record.ts';
import type { AgentArchive } from '../../port/archive.ts';
import { factsFromLines } from '../../port/record-facts.ts';
import { GATE, isCreated } from '../extension-protocol.ts';
import { isStamp } from '../wire.ts';
import { idIn, sessionsOf } from './record-folders.ts';

const read = piReader({ messageId, userItem, asPi: (message) => message, shell: 'bash', changeOf, idIn });

/** Pi's session files, of both package names; version 3 was seen, and older ones are read as far as they are the same. */
export const archive: AgentArchive = {
  version: 1,
  roots: (env) => [sessionsOf(env)],
  recordOf: (path) => {
    const agentSessionId = /^(?:[^/]+\/)?[^/]+$/.test(path) ? idIn(path) : undefined;
    return agentSessionId === undefined ? undefined : { kind: 'lines', agentSessionId };
  },
  readFacts: factsFromLines(read),
  read,
};

/**
 * On the wire a message only has its time, so the time is its id here too. But a line written in the same millisecond in which its message
 * started didn't come from a model: it was inserted, and several lines may have been inserted in that millisecond.
 */
function messageId({ id, timestamp: written }: PiEntry, { timestamp }: PiAssistantMessage): string {
  const isInserted = id !== undefined && (timestamp === undefined || Date.parse(written ?? '') === timestamp);
  return isInserted ? id : `m${timestamp ?? 0}`;
}

/** Our extension writes into each message which input of ours it is, or that it is none. Without our extension, the line's own id is used. */
function userItem({ id }: PiEntry, message: PiUserMessage): string {
  const stamp = message[GATE];
  const live = `u${message.timestamp ?? 0}`;
  return isStamp(stamp) ? (stamp.input ?? live) : (id ?? live);
}

/** Pi only records the patch of an edit; our extension adds one for a new file. An overwritten file has none: its old content isn't recorded. */
function changeOf(result: PiToolResult): FileChange | undefined {
  const patch = patchOf(result.details);
  const path = pathIn(result);
  return patch === undefined || path === undefined ? undefined : { kind: isCreated(result.details) ? 'create' : 'edit', path, patch };
}

/** A result doesn't repeat the arguments of its call, but its text for the model names the file. */
function pathIn({ content }: PiToolResult): string | undefined {
  const { text } = contentOf(content);
  return (/^Successfully replaced \d+ block\(s\) in ([^\n]+)\.$/.exec(text) ?? /^Successfully wrote (?:\d+ bytes )?to ([^\n]+)$/.exec(text))?.[1];
}
