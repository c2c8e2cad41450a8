import type { EventBodyOf } from '../../protocol/event.ts';
import type { RuleBody } from '../../protocol/rule.ts';
import type { SessionState } from '../session/state.ts';
import { plain } from './masked-line.ts';

export const named = (state: SessionState): string => plain(state.meta.title ?? folderOf(state.born?.cwd) ?? state.id);

const folderOf = (cwd: string | undefined): string | undefined => cwd?.split('/').findLast((part) => part !== '') ?? cwd;

/** Never includes values of environment variables or the text of a prompt. */
export function createdText({ agent, cwd, options, origin, base }: EventBodyOf<'session.created'>): string {
  if (base !== undefined) return `adopted the past session with ${agent} in ${plain(cwd)}`;
  const mode = options.permissionMode === undefined ? '' : `, permission mode ${options.permissionMode}`;
  const from = origin === undefined ? '' : `, as a ${origin.kind} of ${plain(origin.agentSessionId)}`;
  return `created a session with ${agent} in ${plain(cwd)}${mode}${from}`;
}

export function sizeOf(event: EventBodyOf<'input.accepted'> | EventBodyOf<'input.edited'>): string {
  const blob = event.blobs?.text;
  const size = blob === undefined ? `${event.text.length} characters` : `${blob.bytes} bytes`;
  const images = 'images' in event ? (event.images?.length ?? 0) : 0;
  return images === 0 ? size : `${size}, ${images} image${images === 1 ? '' : 's'}`;
}

export function metaText({
  title,
  tags,
  star,
  note,
  archived,
  closed,
  giveComments,
}: Partial<Pick<EventBodyOf<'meta.changed'>, 'title' | 'tags' | 'star' | 'note' | 'archived' | 'closed' | 'giveComments'>>): string {
  const parts = [
    title === undefined ? undefined : `named it "${plain(title)}"`,
    tags === undefined ? undefined : `tagged it [${plain(tags.join(', '))}]`,
    star === undefined ? undefined : star ? 'starred it' : 'removed its star',
    note === undefined ? undefined : note === null ? 'removed its note' : `wrote a note (${note.length} characters)`,
    archived === undefined ? undefined : archived ? 'archived it' : 'unarchived it',
    closed === undefined ? undefined : closed ? 'made it private' : 'made it visible to others',
    giveComments === undefined ? undefined : giveComments ? 'gives open comments to its agent' : 'no longer gives open comments to its agent',
  ];
  return parts.filter((part) => part !== undefined).join(', ') || 'changed nothing';
}

export function endingText(state: SessionState, { reason }: EventBodyOf<'run.ending'>): string | undefined {
  if (reason === 'stop') return `stopped the agent in ${named(state)}`;
  return reason === 'sleep' ? `put the agent in ${named(state)} to sleep` : undefined;
}

export function ruleText({ behavior, tool, command, path, host, scope }: RuleBody): string {
  const what = command ?? path ?? host;
  const where = scope.kind === 'session' ? `in session ${scope.sessionId}` : scope.kind === 'project' ? `in ${plain(scope.folder)}` : 'everywhere';
  return `${behavior} ${plain(tool)}${what === undefined ? '' : ` \`${plain(what)}\``} ${where}`;
}
