import type { FileChange } from '../../../protocol/event.ts';
import type { AgentArchive } from '../../archive.ts';
import { contentOf } from '../../formats/pi-content.ts';
import { patchOf } from '../../formats/pi-diff.ts';
import type { PiEntry } from '../../formats/pi-entry.ts';
import type { PiAssistantMessage, PiToolResult, PiUserMessage } from '../../formats/pi-message.ts';
import { piReader } from '../../formats/pi-record.ts';
import { glanceBy } from '../../quick-look.ts';
import { GATE, isCreated } from '../gate-words.ts';
import { isStamp } from '../wire.ts';
import { idIn, sessionsOf } from './record-folders.ts';

const read = piReader({ messageId, userItem, asPi: (message) => message, shell: 'bash', changeOf, idIn });

/** Pi's session files, of both package names; version 3 was seen, and the older ones are read as far as they are alike. */
export const archive: AgentArchive = {
  version: 1,
  roots: (env) => [sessionsOf(env)],
  recordOf: (path) => {
    const agentSessionId = /^(?:[^/]+\/)?[^/]+$/.test(path) ? idIn(path) : undefined;
    return agentSessionId === undefined ? undefined : { kind: 'lines', agentSessionId };
  },
  glance: glanceBy(read),
  read,
};

/**
 * On the wire a message has only its time, and so it is named by that here too. But a line that was written in the millisecond in which its
 * message began did not come from a model: whatever put it there may have put more than one into that millisecond.
 */
function messageId({ id, timestamp: written }: PiEntry, { timestamp }: PiAssistantMessage): string {
  const isInserted = id !== undefined && (timestamp === undefined || Date.parse(written ?? '') === timestamp);
  return isInserted ? id : `m${timestamp ?? 0}`;
}

/** Our extension writes into a message which input of ours it was, or that it was none; without it, nobody told the message by another id. */
function userItem({ id }: PiEntry, message: PiUserMessage): string {
  const stamp = message[GATE];
  const live = `u${message.timestamp ?? 0}`;
  return isStamp(stamp) ? (stamp.input ?? live) : (id ?? live);
}

/** Its own results tell only the patch of an edit; our extension adds that of a new file. One that is written anew has none: what it held is not told. */
function changeOf(result: PiToolResult): FileChange | undefined {
  const patch = patchOf(result.details);
  const path = pathIn(result);
  return patch === undefined || path === undefined ? undefined : { kind: isCreated(result.details) ? 'create' : 'edit', path, patch };
}

/** A result does not repeat the arguments of its call, but says to the model which file it was. */
function pathIn({ content }: PiToolResult): string | undefined {
  const { text } = contentOf(content);
  return (/^Successfully replaced \d+ block\(s\) in ([^\n]+)\.$/.exec(text) ?? /^Successfully wrote (?:\d+ bytes )?to ([^\n]+)$/.exec(text))?.[1];
}
