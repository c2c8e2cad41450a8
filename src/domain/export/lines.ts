import type { EventOf } from '../../protocol/event.ts';
import type { MarkEvent, PermissionItem } from '../transcript/item.ts';
import { toolGist } from '../transcript/tool-kind.ts';
import type { LineBlock } from './block.ts';

const plain = (text: string): LineBlock => ({ kind: 'line', tone: 'plain', text });
const bad = (text: string): LineBlock => ({ kind: 'line', tone: 'bad', text });

/** Who decided what, and with which words. */
export function lineOfPermission({ requested, resolved }: PermissionItem): LineBlock {
  const what = requested === undefined ? 'a request from before' : `${requested.tool} ${toolGist(requested.input)}`.trim();
  if (resolved === undefined) return plain(`Waits for a person: ${what}`);
  const words = resolved.message === undefined || resolved.message === '' ? '' : `: “${resolved.message}”`;
  const changed = resolved.updatedInput === undefined ? '' : ', with changed input';
  const line = `${deciderOf(resolved)} ${VERBS[resolved.outcome]} ${what}${changed}${words}`;
  return resolved.outcome === 'allowed' ? plain(line) : bad(line);
}

const VERBS = { allowed: 'allowed', denied: 'denied', cancelled: 'withdrew', lapsed: 'left unanswered' } as const;

function deciderOf({ actor, outcome }: EventOf<'permission.resolved'>): string {
  if (actor === undefined || outcome === 'cancelled') return 'The agent';
  return actor.kind === 'rule' ? `The rule “${actor.name}”` : actor.name;
}

export function lineOfTurn(turn: EventOf<'turn.completed'>): LineBlock {
  const facts = [
    turn.durationMs === undefined ? undefined : `${(turn.durationMs / 1000).toFixed(1)} s`,
    turn.costUsd === undefined ? undefined : `$${turn.costUsd.toFixed(4)}`,
    turn.contextTokens === undefined ? undefined : `${turn.contextTokens} tokens of context`,
  ].filter((fact) => fact !== undefined);
  const how = turn.interrupted ? 'was interrupted' : turn.isError ? `failed (${turn.errors?.[0] ?? turn.stopReason})` : 'ended';
  const text = [`The turn ${how}`, ...facts].join(' · ');
  return turn.isError || turn.interrupted ? bad(text) : plain(text);
}

export function lineOfMark(event: MarkEvent): LineBlock {
  switch (event.type) {
    case 'context.compacted':
      return compactionLine(event);
    case 'session.created':
      return plain(`The session began with ${event.agent} in ${event.cwd}`);
    case 'session.started':
      return plain(`The agent answers${event.model === undefined ? '' : ` with ${event.model}`}`);
    case 'session.exited':
      return event.reason === 'died' ? bad('The agent ended unexpectedly') : plain(`The agent's process ended (${event.reason})`);
    case 'model.changed':
      return plain(`The model is now ${event.model}`);
    case 'mode.changed':
      return plain(`The permission mode is now ${event.mode}`);
    case 'notice.shown':
      return event.level === 'info' ? plain(event.text) : bad(event.text);
    case 'retry.reported':
      return bad(`The model's service failed and was asked again (${event.attempt}): ${event.error}`);
    case 'limit.reported':
      return bad(`Limit ${event.kind}: ${event.status}`);
    case 'output.lost':
      return bad(`Output of the agent was lost: ${event.reason}`);
    case 'context.forgotten':
      return bad(`The agent does not remember this turn: ${event.reason}`);
    case 'hook.ran':
      return plain(`The hook ${event.name} ran${event.outcome === undefined ? '' : ` (${event.outcome})`}`);
    case 'task.updated':
      return plain(`In the background: ${event.title ?? event.kind} (${event.status})`);
    case 'run.opened':
      return plain(`The agent is started (${event.mode}): ${event.reason}`);
    case 'turn.started':
      return plain(`The agent began by itself: ${event.cause}`);
    case 'thinking.changed':
      return plain(`Thinking is now ${event.thinking}`);
    case 'setting.refused':
      return bad(`The ${event.setting} ${event.value} was refused: ${event.reason}`);
    default:
      return lineOfHandling(event);
  }
}

function compactionLine({ preTokens, postTokens, trigger, failed }: EventOf<'context.compacted'>): LineBlock {
  if (failed !== undefined) return bad(`The context could not be compacted: ${failed}`);
  const [before, after] = [preTokens ?? '?', postTokens ?? '?'];
  return {
    kind: 'line',
    tone: 'break',
    text: `The context was compacted (${trigger}): ${before} → ${after} tokens. What stands above is known to the agent as a summary only.`,
  };
}

type Handling = EventOf<
  'files.rewound' | 'driver.found' | 'driver.gone' | 'takeover.requested' | 'continuation.scheduled' | 'continuation.ended' | 'handover.ready'
>;

/** Who holds the conversation, and how it goes on. */
function lineOfHandling(event: Handling): LineBlock {
  switch (event.type) {
    case 'files.rewound':
      return event.canRewind
        ? plain(`${event.files.length} files were put back${event.dryRun ? ' (tried only)' : ''}`)
        : bad(`Files could not be put back: ${event.problem ?? ''}`);
    case 'driver.found':
      return plain(`Another program holds this conversation: ${event.what ?? 'process'} ${event.pid}`);
    case 'driver.gone':
      return plain(`The other program no longer holds this conversation: ${event.reason}`);
    case 'takeover.requested':
      return plain(`The conversation is taken over from process ${event.pid}`);
    case 'continuation.scheduled':
      return plain(`Goes on by itself at ${event.resumesAt}`);
    case 'continuation.ended':
      return plain(event.outcome === 'sent' ? 'Went on by itself' : `Will not go on by itself: ${event.reason}`);
    case 'handover.ready':
      return plain(`The fresh conversation is told a summary of the old one (${event.how})`);
  }
}

export const lineOfSeam = (side: 'before' | 'here'): LineBlock => ({
  kind: 'line',
  tone: 'break',
  text: side === 'before' ? 'What follows happened before this session began.' : 'Here this session begins.',
});
