import type { AnnotationId, AnnotationKind, ReviewId, ReviewItem, Target, TargetOf } from '../../protocol/annotation.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { shownPath } from '../changes/path.ts';
import type { LineRange } from './move-lines.ts';

/** One comment that goes into a review. */
export interface Comment {
  readonly sessionId: SessionId;
  readonly annotationId: AnnotationId;
  readonly seq: number;
  readonly target: Target;
  readonly kind: AnnotationKind;
  readonly text: string;
  readonly suggestion?: string;
  readonly quote?: string;
  /** Of a message: the lines of it that the quote covers. */
  readonly selection?: readonly [number, number];
  /** Of code: where the quoted lines are now; unset if they can't be found. */
  readonly now?: LineRange;
  /** Of a comment that an agent wrote: its name. */
  readonly author?: string;
}

export interface Composed {
  /** The exact message. */
  readonly text: string;
  readonly items: readonly ReviewItem[];
  readonly counts: Counts;
}

export interface Counts {
  readonly actions: number;
  readonly questions: number;
  readonly files: number;
  readonly conversation: number;
  readonly sessions: number;
}

type On<T extends Target['type']> = Comment & { readonly target: TargetOf<T> };
type Said = On<'conversation'> | On<'tool-call'>;
type Labeled<C extends Comment> = C & { readonly label: string };

/** The one message that an agent gets for these comments. Their order in it doesn't depend on the order in which they are given. */
export function composeReview(reviewId: ReviewId, cwd: string, comments: readonly Comment[]): Composed {
  const code = comments.filter(isOnCode).sort(byPlace);
  const said = bySession(comments.filter(isOnConversation));
  let next = 0;
  const labelOf = (): string => {
    next += 1;
    return `A${next}`;
  };
  const labeled = <C extends Comment>(comment: C): Labeled<C> => ({ ...comment, label: labelOf() });
  const files = groupBy(code.map(labeled), ({ target }) => target.file);
  const sessions = said.map(([sessionId, list]) => [sessionId, list.map(labeled)] as const);
  const all: readonly Labeled<Comment>[] = [...files.flatMap(([, list]) => list), ...sessions.flatMap(([, list]) => list)];
  const counts = countsOf(comments, files.length, sessions.length);
  const lines = [
    `<signalbox-review id="${escaped(reviewId)}">`,
    ...codeLines(cwd, files),
    ...sessions.flatMap(([sessionId, list]) => conversationLines(sessionId, list)),
    `  ${summaryLine(counts)}`,
    '</signalbox-review>',
    'Answer each annotation by its id, for example "A1: done".',
  ];
  return { text: lines.join('\n'), items: all.map(itemOf), counts };
}

const isOnCode = (comment: Comment): comment is On<'code'> => comment.target.type === 'code';
const isOnConversation = (comment: Comment): comment is Said => comment.target.type !== 'code';

const lineOf = ({ now, target }: On<'code'>): number => now?.from ?? target.lineStart;

function byPlace(a: On<'code'>, b: On<'code'>): number {
  return compare(a.target.file, b.target.file) || lineOf(a) - lineOf(b) || a.seq - b.seq || compare(a.annotationId, b.annotationId);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sessions in the order of their first comment; in each, by event. */
function bySession(said: readonly Said[]): readonly (readonly [SessionId, readonly Said[]])[] {
  const sorted = [...said].sort((a, b) => a.seq - b.seq || compare(a.annotationId, b.annotationId));
  return groupBy(sorted, ({ target }) => target.sessionId).sort(([a, [first]], [b, [second]]) => (first?.seq ?? 0) - (second?.seq ?? 0) || compare(a, b));
}

function groupBy<K extends string, T>(values: readonly T[], keyOf: (value: T) => K): [K, readonly T[]][] {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value)) ?? [];
    group.push(value);
    groups.set(keyOf(value), group);
  }
  return [...groups];
}

function countsOf(comments: readonly Comment[], files: number, sessions: number): Counts {
  const count = (kind: AnnotationKind): number => comments.filter((comment) => comment.kind === kind).length;
  return { actions: count('action'), questions: count('question'), files, conversation: comments.filter(isOnConversation).length, sessions };
}

function codeLines(cwd: string, files: readonly (readonly [string, readonly Labeled<On<'code'>>[]])[]): readonly string[] {
  if (files.length === 0) return [];
  const list = files.flatMap(([file, comments]) => [
    `    <file path="${escaped(shownPath(cwd, file))}">`,
    ...comments.map((comment) => `      ${codeElement(comment)}`),
    '    </file>',
  ]);
  return ['  <code-annotations>', ...list, '  </code-annotations>'];
}

function codeElement(comment: Labeled<On<'code'>>): string {
  const { label, kind, target, now } = comment;
  const { from, to } = now ?? { from: target.lineStart, to: target.lineEnd ?? target.lineStart };
  const place = from === to ? { line: String(from) } : { lines: `${from}-${to}` };
  return element({ id: label, type: 'line', kind, ...place, side: target.side === 'old' ? 'old' : undefined, author: comment.author }, comment);
}

function conversationLines(sessionId: SessionId, comments: readonly Labeled<Said>[]): readonly string[] {
  const list = comments.map((comment) => `    ${conversationElement(comment)}`);
  return [`  <conversation-annotations session="${escaped(sessionId)}">`, ...list, '  </conversation-annotations>'];
}

function conversationElement(comment: Labeled<Said>): string {
  const { label, kind, target, selection, author } = comment;
  const selected = selection === undefined ? undefined : selection[0] === selection[1] ? `line ${selection[0]}` : `lines ${selection[0]}-${selection[1]}`;
  const of = target.type === 'conversation' ? { 'message-id': target.messageId } : { type: 'tool-call', 'tool-use-id': target.toolUseId, field: target.field };
  return element({ id: label, kind, ...of, selection: selected, author }, comment);
}

function element(attributes: Readonly<Record<string, string | undefined>>, { quote, text, suggestion }: Comment): string {
  const written = Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escaped(value)}"`]));
  return `<annotation${written.join('')}>${child('quote', quote)}${child('comment', text)}${child('suggestion', suggestion)}</annotation>`;
}

const child = (name: string, text: string | undefined): string => (text === undefined || text === '' ? '' : `<${name}>${escaped(text)}</${name}>`);

const summaryLine = ({ actions, questions, files, conversation, sessions }: Counts): string =>
  `<summary actions="${actions}" questions="${questions}" files="${files}" conversation-annotations="${conversation}" sessions="${sessions}"/>`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that XML 1.0 can't contain, lone surrogates included. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** Text as it stands in XML: no markup of its own, no forbidden characters. A reader turns a carriage return into a line feed unless it is written as a number. */
function escaped(text: string): string {
  return text
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
    .replace(/\r/g, '&#13;');
}

/** Enough to recognize the lines in another version of the file. */
export const QUOTE_CHARS = 400;

function itemOf({ sessionId, annotationId, label, kind, target, now, quote }: Labeled<Comment>): ReviewItem {
  const isPlaced = target.type === 'code' && target.side !== 'old' && now !== undefined;
  const place = isPlaced ? { file: target.file, from: now.from, to: now.to, ...(quote !== undefined && { quote: quote.slice(0, QUOTE_CHARS) }) } : undefined;
  return { sessionId, annotationId, label, kind, ...(place !== undefined && { place }) };
}
