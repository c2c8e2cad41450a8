import type { Annotation } from '../../protocol/api/annotations.ts';
import { KIND_TITLES, STATE_TITLES } from '../annotation/words.ts';
import { shownPath } from '../changes/path.ts';
import type { Block, CommentBlock } from './block.ts';

/** The comments made in a session, at the end of its document. */
export function commentBlocks(cwd: string, comments: readonly Annotation[]): readonly Block[] {
  if (comments.length === 0) return [];
  return [{ kind: 'line', tone: 'break', text: 'Comments' }, ...comments.map((comment) => blockOf(cwd, comment))];
}

function blockOf(cwd: string, comment: Annotation): CommentBlock {
  const { kind, state, by, text, suggestion, anchor, answered, settled } = comment;
  const title = [KIND_TITLES[kind], placeText(cwd, comment), STATE_TITLES[state].toLowerCase(), by?.name].filter((part) => part !== undefined).join(' · ');
  const answer = answered === undefined ? undefined : (answered.text ?? (answered.how === 'edit' ? 'Edited these lines' : 'Answered'));
  return {
    kind: 'comment',
    title,
    text,
    ...(anchor !== undefined && anchor.quote !== '' && { quote: anchor.quote }),
    ...(suggestion !== undefined && { suggestion }),
    ...(answer !== undefined && { answer }),
    ...(settled?.note !== undefined && { remark: settled.note }),
  };
}

function placeText(cwd: string, { target, place, orphaned }: Annotation): string {
  if (target.type === 'conversation') return 'message';
  if (target.type === 'tool-call') return target.field === 'plan' ? 'plan' : 'tool call';
  const { from, to } = place ?? { from: target.lineStart, to: target.lineEnd ?? target.lineStart };
  const lines = to > from ? `${from}–${to}` : `${from}`;
  return `${shownPath(cwd, target.file)}:${lines}${orphaned === true ? ' (no longer in the file)' : ''}`;
}
