import type { MarkEvent } from '../../src/domain/transcript/item.ts';
import { clockText, durationText, modeText, tokensText } from '../ui/words.ts';

/** What happened, in one sentence. */
export function markText(event: MarkEvent): string {
  switch (event.type) {
    case 'session.created':
      return `Begun in ${event.cwd}`;
    case 'session.started':
      return ['Agent ready', event.model, event.version].filter((part) => part !== undefined).join(' · ');
    case 'session.exited':
      return `The agent's process ended: ${event.reason}`;
    case 'run.opened':
      return event.mode === 'fork' ? `Forked: ${event.reason}` : `Woken: ${event.reason}`;
    case 'turn.started':
      return `The agent began by itself: ${event.cause}`;
    case 'limit.reported':
      return `Limit ${event.kind}: ${event.status}${event.resetsAt === undefined ? '' : `, until ${clockText(event.resetsAt)}`}`;
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
    case 'retry.reported':
      return retryText(event);
    case 'notice.shown':
      return event.text;
    case 'output.lost':
      return `Some of the agent's output was lost here: ${event.reason}`;
  }
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
  if (event.type === 'limit.reported' || event.type === 'retry.reported') return 'caution';
  if (event.type === 'context.compacted') return event.failed === undefined ? 'quiet' : 'stop';
  if (event.type !== 'notice.shown') return 'quiet';
  return event.level === 'info' ? 'quiet' : event.level === 'warning' ? 'caution' : 'stop';
}
