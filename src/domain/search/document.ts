import type { HitKind } from '../../protocol/api/search.ts';
import type { Event, EventOf, EventType } from '../../protocol/event.ts';
import { type Handlers, handlerOf } from '../handle-event.ts';
import { pathsIn } from './paths.ts';

/** One searchable text of an event. An event has at most one of each kind. */
export interface SearchDocument {
  readonly kind: HitKind;
  readonly text: string;
  readonly tool?: string;
  readonly path?: string;
  readonly isError?: boolean;
}

/** The searchable texts of an event. A queued message is found once it is delivered; a title belongs to its session. */
export function documentsOf(event: Event): readonly SearchDocument[] {
  return handlerOf(DOCUMENTS, event)(event).filter((document) => /\S/.test(document.text));
}

const none = (): readonly SearchDocument[] => [];

const DOCUMENTS: Handlers<EventType, [], readonly SearchDocument[]> = {
  'session.created': none,
  'session.status': none,
  'run.opened': none,
  'run.ready': none,
  'run.ending': none,
  'session.started': none,
  'capabilities.told': none,
  'session.exited': none,
  'input.accepted': none,
  'input.edited': none,
  'input.moved': none,
  'input.steered': none,
  'input.cancelled': none,
  'input.delivered': none,
  'input.consumed': none,
  'input.returned': none,
  'user.message': (event) => [{ kind: event.origin === 'agent' ? 'answer' : 'prompt', text: event.text }],
  'assistant.text': (event) => [{ kind: 'answer', text: event.text, ...(event.error !== undefined && { isError: true }) }],
  'assistant.thinking': (event) => [{ kind: 'thinking', text: event.text }],
  'tool.started': called,
  'tool.completed': completed,
  'permission.requested': none,
  'permission.resolved': none,
  'checkpoint.made': none,
  'checkpoint.skipped': none,
  'checkpoint.removed': none,
  'checkpoint.enabled': none,
  'revert.requested': none,
  'revert.done': none,
  'act.refused': none,
  'interrupt.requested': none,
  'turn.started': none,
  'turn.completed': (event) => (event.isError ? [{ kind: 'output', text: (event.errors ?? []).join('\n'), isError: true }] : []),
  'usage.reported': none,
  'limit.reported': none,
  'context.compacted': none,
  'context.forgotten': none,
  'suggestion.offered': none,
  'task.updated': none,
  'hook.ran': (event) => [{ kind: 'output', text: event.output ?? '' }],
  'model.changed': none,
  'mode.changed': none,
  'thinking.changed': none,
  'setting.requested': none,
  'setting.refused': none,
  'rewind.requested': none,
  'files.rewound': none,
  'driver.found': none,
  'driver.gone': none,
  'takeover.requested': none,
  'continuation.scheduled': none,
  'continuation.ended': none,
  'continuation.preferred': none,
  'queue.paused': none,
  'queue.resumed': none,
  'handover.ready': none,
  'retry.reported': none,
  'title.reported': none,
  'vcs.reported': ({ action, branch, published }) => [
    { kind: 'output', text: [action, branch, published?.repo, published?.identifier, published?.url].filter((part) => part !== undefined).join(' ') },
  ],
  'notice.shown': (event) => [{ kind: 'output', text: event.text, ...(event.level === 'error' && { isError: true }) }],
  'output.lost': none,
  'meta.changed': (event) => [{ kind: 'note', text: event.note ?? '' }],
  'item.marked': (event) => [{ kind: 'note', text: event.note ?? '' }],
  'annotation.made': ({ text, target }) => [{ kind: 'note', text, ...(target.type === 'code' && { path: target.file }) }],
  'annotation.edited': (event) => [{ kind: 'note', text: event.text ?? '' }],
  'annotation.withdrawn': none,
  'annotation.sent': none,
  'annotation.settled': (event) => [{ kind: 'note', text: event.note ?? '' }],
  'annotation.answered': none,
  'review.sent': none,
  'review.ended': none,
  'review.requested': none,
  'background.ended': none,
  'session.deleted': none,
  'rule.created': none,
  'rule.revoked': none,
  'token.added': none,
  'token.revoked': none,
  'conversations.closed': none,
  'tool.asked': none,
  'tool.answered': none,
  'agent.refused': none,
  'hook.asked': none,
  'hook.answered': none,
  'hook.reported': none,
  'command.output': none,
  'command.ended': none,
  'script.started': none,
  'script.ended': none,
  'git.noted': none,
  'git.trusted': none,
  'git.started': none,
  'git.acted': (event) => [{ kind: 'output', text: event.message ?? '', ...(!event.ok && { isError: true }) }],
  'pr.linked': (event) => [{ kind: 'output', text: event.url }],
  'pr.updated': (event) => [{ kind: 'output', text: event.comments.map(({ text }) => text).join('\n') }],
  'pr.dismissed': none,
  'worktree.requested': none,
  'worktree.prepared': none,
  'worktree.made': none,
  'worktree.failed': none,
  'worktree.retried': none,
  'worktree.merged': none,
  'worktree.removing': none,
  'worktree.archived': none,
  'worktree.removed': none,
  'scripts.trusted': none,
  'scripts.set': none,
  'webhook.added': none,
  'webhook.removed': none,
  'share.created': none,
  'share.revoked': none,
  unrecognised: none,
};

function called(event: EventOf<'tool.started'>): readonly SearchDocument[] {
  const [path] = pathsIn(event.input);
  return [{ kind: 'tool', text: [event.name, ...textsIn(event.input)].join('\n'), tool: event.name, ...(path !== undefined && { path }) }];
}

function completed(event: EventOf<'tool.completed'>): readonly SearchDocument[] {
  const { change, output } = event;
  const failed = event.isError && { isError: true };
  const outputDocument: SearchDocument = { kind: 'output', text: output, ...(change && { path: change.path }), ...failed };
  if (change === undefined) return [outputDocument];
  return [outputDocument, { kind: 'diff', text: `${change.path}\n${change.patch}`, path: change.path, ...failed }];
}

/** No real arguments are nested deeper; anything below is not searched. */
const DEPTH = 8;

/** Every text in a tool's arguments, in order. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth === DEPTH) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}
