import type { MarkEvent } from '../../../../src/domain/transcript/item.ts';
import { countText, durationText, modeText, momentText, tokensText } from '../../../base/words/words.ts';

/** What happened, in one sentence. */
export function markText(event: MarkEvent): string {
  switch (event.type) {
    case 'session.created':
      return `${beginningText(event)} in ${event.cwd}`;
    case 'session.started':
      return ['Agent ready', event.model, event.version].filter((part) => part !== undefined).join(' · ');
    case 'session.exited':
      return exitText(event);
    case 'run.opened':
      return `Woken: ${event.reason}`;
    case 'turn.started':
      return `The agent began by itself: ${event.cause}`;
    case 'limit.reported':
      return limitText(event);
    case 'context.compacted':
      return compactedText(event);
    case 'context.forgotten':
      return `The agent's own memory lacks a message shown above: ${event.reason}`;
    case 'task.updated':
      return `${event.title ?? event.kind}: ${event.status}${event.detail === undefined ? '' : ` · ${event.detail}`}`;
    case 'hook.ran':
      return `Hook ${event.name} (${event.event})${event.outcome === undefined ? '' : `: ${event.outcome}`}${event.output ? ` · ${event.output}` : ''}`;
    case 'model.changed':
      return `Model is now ${event.model}: ${event.reason}`;
    case 'mode.changed':
      return `The agent now ${modeText(event.mode)}: ${event.reason}`;
    case 'thinking.changed':
      return `Thinking is now ${event.thinking}: ${event.reason}`;
    case 'setting.refused':
      return `The agent did not change its ${event.setting} to ${event.value}: ${event.reason}`;
    case 'files.rewound':
      return rewoundText(event);
    case 'driver.found':
      return `Another program holds this conversation: ${event.what ?? 'process'} ${event.pid}`;
    case 'driver.gone':
      return `The other program no longer holds this conversation: ${event.reason}`;
    case 'takeover.requested':
      return `Taking the conversation over from process ${event.pid}`;
    case 'continuation.scheduled':
      return `Goes on by itself at ${momentText(event.resumesAt, Date.parse(event.at))}`;
    case 'continuation.ended':
      return event.outcome === 'sent' ? 'Went on by itself' : `Will not go on by itself: ${event.reason}`;
    case 'handover.ready':
      return HANDOVERS[event.how];
    case 'retry.reported':
      return retryText(event);
    case 'notice.shown':
      return event.text;
    case 'output.lost':
      return `Some of the agent's output was lost here: ${event.reason}`;
  }
}

const EXITS: Readonly<Record<string, string>> = {
  sleep: 'The agent went to sleep; the next message wakes it',
  stop: 'The agent was stopped',
  finished: 'The agent ended by itself',
  disk: 'The agent was ended because the disk is nearly full',
  stuck: 'The agent was ended because it no longer answered',
};

/** Nobody wanted the end of a process that died: how it ended is all there is to go by. */
function exitText({ reason, code, signal }: Extract<MarkEvent, { type: 'session.exited' }>): string {
  if (reason !== 'died') return EXITS[reason] ?? `The agent's process ended: ${reason}`;
  const how = signal ?? (code === undefined || code === null ? undefined : `exit ${code}`);
  return `The agent's process ended unexpectedly${how === undefined ? '' : ` (${how})`}`;
}

const BEGINNINGS = {
  resume: 'Goes on with an earlier conversation',
  fork: 'Goes on with a copy of a conversation',
  handover: 'A fresh conversation after another',
} as const;

const beginningText = (event: Extract<MarkEvent, { type: 'session.created' }>): string =>
  event.origin === undefined ? 'Begun' : BEGINNINGS[event.origin.kind];

/** Where the summary comes from, because it is not the conversation itself. */
const HANDOVERS = {
  compaction: 'Told what came before: the summary that the agent made when it compacted its context',
  agent: 'Told what came before: a summary that the agent wrote for this purpose',
  extract: 'Told what came before: an extract of the messages, made without the agent; much is left out',
} as const;

function rewoundText(event: Extract<MarkEvent, { type: 'files.rewound' }>): string {
  if (!event.canRewind) return `Files were not put back: ${event.problem ?? 'the agent could not'}`;
  return `${countText(event.files.length, 'file')} put back: ${event.files.join(', ')}`;
}

function limitText({ at, kind, status, resetsAt }: Extract<MarkEvent, { type: 'limit.reported' }>): string {
  const until = resetsAt === undefined ? '' : `, until ${momentText(resetsAt, Date.parse(at))}`;
  return `${status.includes('warning') ? 'Close to a limit' : 'Limit reached'}: ${kind.replaceAll('_', ' ')}${until}`;
}

function compactedText(event: Extract<MarkEvent, { type: 'context.compacted' }>): string {
  if (event.failed !== undefined) return `Compaction failed: ${event.failed}`;
  const sizes = [event.preTokens, event.postTokens].filter((size) => size !== undefined).map(tokensText);
  return `Context compacted (${event.trigger})${sizes.length === 0 ? '' : `: ${sizes.join(' → ')} tokens`}`;
}

function retryText(event: Extract<MarkEvent, { type: 'retry.reported' }>): string {
  const of = event.maxAttempts === undefined ? '' : ` of ${event.maxAttempts}`;
  const delay = event.delayMs === undefined ? '' : `, waits ${durationText(event.delayMs)}`;
  return `Tries again (${event.attempt}${of}${delay}): ${event.error}`;
}

/** Whether a person should notice it. */
export function markTone(event: MarkEvent): 'quiet' | 'caution' | 'stop' {
  if (event.type === 'output.lost' || event.type === 'context.forgotten') return 'stop';
  if (event.type === 'setting.refused' || event.type === 'driver.found') return 'caution';
  if (event.type === 'files.rewound') return event.canRewind ? 'quiet' : 'stop';
  if (event.type === 'limit.reported') return event.status.includes('warning') ? 'quiet' : 'caution';
  if (event.type === 'context.compacted') return event.failed === undefined ? 'quiet' : 'stop';
  if (event.type !== 'notice.shown') return 'quiet';
  return event.level === 'info' ? 'quiet' : event.level === 'warning' ? 'caution' : 'stop';
}
