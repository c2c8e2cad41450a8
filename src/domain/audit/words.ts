import type { EventBody, EventBodyOf } from '../../protocol/event.ts';
import type { RuleBody } from '../../protocol/rule.ts';
import type { SessionState } from '../session/state.ts';
import { plain } from './plain.ts';
import { resolvedWords } from './resolved-words.ts';

/** What was decided, and about what, in one line; undefined for what only follows from a decision. `state` is how things stood before. */
export function auditWords(state: SessionState, event: EventBody): string | undefined {
  switch (event.type) {
    case 'session.created':
      return createdWords(event);
    case 'session.deleted':
      return `deleted the session ${named(state)}`;
    case 'input.accepted':
      return `sent a message (${sizeOf(event)})${event.mode === 'steer' ? ' into the running turn' : ''}`;
    case 'input.edited':
      return `changed a waiting message (${sizeOf(event)})`;
    case 'input.moved':
      return 'moved a waiting message';
    case 'input.steered':
      return 'sent a waiting message into the running turn';
    case 'input.cancelled':
      return `cancelled a waiting message: ${plain(event.reason)}`;
    case 'interrupt.requested':
      return `interrupted the agent in ${named(state)}`;
    case 'permission.resolved':
      return resolvedWords(state, event);
    case 'meta.changed':
      return metaWords(event);
    case 'item.marked':
      return `on event ${event.target}: ${metaWords(event)}`;
    case 'setting.requested':
      return `asked for the ${event.setting} ${plain(event.value)}`;
    case 'rewind.requested':
      return `asked to rewind files to message ${event.messageSeq}${event.dryRun ? ' (dry run)' : ''}`;
    case 'takeover.requested':
      return `took the conversation over from process ${event.pid}`;
    case 'continuation.scheduled':
      return `scheduled it to go on by itself at ${event.resumesAt}`;
    case 'continuation.ended':
      return event.outcome === 'sent' ? `went on by itself: ${plain(event.reason)}` : `cancelled its going on by itself: ${plain(event.reason)}`;
    case 'run.opened':
      return event.reason === 'session.wake' ? `woke the agent in ${named(state)}` : undefined;
    case 'run.ending':
      return endingWords(state, event);
    case 'rule.created':
      return `created the rule ${event.rule.id}: ${ruleWords(event.rule)}${event.rule.replaces === undefined ? '' : `, in place of ${event.rule.replaces}`}`;
    case 'rule.revoked':
      return `revoked the rule ${event.ruleId}: ${plain(event.reason)}`;
    case 'token.added':
      return `gave ${plain(event.name)} a token with the role ${event.role}`;
    case 'token.revoked':
      return `revoked the token of ${plain(event.name)}`;
    default:
      return undefined;
  }
}

const named = (state: SessionState): string => plain(state.meta.title ?? folderOf(state.born?.cwd) ?? state.id);

const folderOf = (cwd: string | undefined): string | undefined => cwd?.split('/').findLast((part) => part !== '') ?? cwd;

/** Values of environment variables are never told, nor the words of a prompt. */
function createdWords({ agent, cwd, options, origin, base }: EventBodyOf<'session.created'>): string {
  if (base !== undefined) return `took up the past session with ${agent} in ${plain(cwd)}`;
  const mode = options.permissionMode === undefined ? '' : `, permission mode ${options.permissionMode}`;
  const from = origin === undefined ? '' : `, as a ${origin.kind} of ${plain(origin.agentSessionId)}`;
  return `created a session with ${agent} in ${plain(cwd)}${mode}${from}`;
}

function sizeOf(event: EventBodyOf<'input.accepted'> | EventBodyOf<'input.edited'>): string {
  const blob = event.blobs?.text;
  const size = blob === undefined ? `${event.text.length} characters` : `${blob.bytes} bytes`;
  const images = 'images' in event ? (event.images?.length ?? 0) : 0;
  return images === 0 ? size : `${size}, ${images} image${images === 1 ? '' : 's'}`;
}

function metaWords({
  title,
  tags,
  star,
  note,
  archived,
  closed,
}: Partial<Pick<EventBodyOf<'meta.changed'>, 'title' | 'tags' | 'star' | 'note' | 'archived' | 'closed'>>): string {
  const parts = [
    title === undefined ? undefined : `named it "${plain(title)}"`,
    tags === undefined ? undefined : `tagged it [${plain(tags.join(', '))}]`,
    star === undefined ? undefined : star ? 'starred it' : 'took its star away',
    note === undefined ? undefined : note === null ? 'removed its note' : `wrote a note (${note.length} characters)`,
    archived === undefined ? undefined : archived ? 'archived it' : 'took it out of the archive',
    closed === undefined ? undefined : closed ? 'closed it to others' : 'opened it to others',
  ];
  return parts.filter((part) => part !== undefined).join(', ') || 'changed nothing about it';
}

function endingWords(state: SessionState, { reason }: EventBodyOf<'run.ending'>): string | undefined {
  if (reason === 'stop') return `stopped the agent in ${named(state)}`;
  return reason === 'sleep' ? `put the agent in ${named(state)} to sleep` : undefined;
}

function ruleWords({ behavior, tool, command, path, host, scope }: RuleBody): string {
  const what = command ?? path ?? host;
  const where = scope.kind === 'session' ? `in session ${scope.sessionId}` : scope.kind === 'project' ? `in ${plain(scope.folder)}` : 'everywhere';
  return `${behavior} ${plain(tool)}${what === undefined ? '' : ` \`${plain(what)}\``} ${where}`;
}
