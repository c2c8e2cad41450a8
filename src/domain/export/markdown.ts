import type { Session } from '../../protocol/session.ts';
import type { ItemMarks } from '../transcript/item.ts';
import type { Block, CallBlock, CommentBlock, Picture } from './block.ts';
import { fencedPartsOf, visible } from './fences.ts';

export function markdownHead(session: Session): string {
  const facts = [
    ['Agent', session.agent],
    ['Folder', session.cwd],
    ['Model', session.model],
    ['Started', session.createdAt],
    ['Last used', session.updatedAt],
    ['Tags', session.tags.join(', ')],
    ['Note', session.note],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`- ${name}: ${inLine(value)}`]));
  return `# ${inLine(session.title)}\n\n${lines.join('\n')}\n`;
}

export function markdownOf(block: Block): string {
  const marks = marksOf(block.marks);
  switch (block.kind) {
    case 'said':
      return `\n## ${inLine(block.who)}${block.at === undefined ? '' : ` · ${block.at}`}\n\n${quoted(words(block.text))}\n${pictures(block.images)}${marks}`;
    case 'answer':
      return `\n${words(block.text)}\n${block.remark === undefined ? '' : `\n*${inLine(block.remark)}*\n`}${marks}`;
    case 'thinking':
      return `\n<details>\n<summary>Thinking</summary>\n\n${words(block.text)}\n\n</details>\n${marks}`;
    case 'call':
      return `${call(block)}${marks}`;
    case 'comment':
      return comment(block);
    case 'line':
      return block.tone === 'break' ? `\n---\n\n*${inLine(block.text)}*\n\n---\n` : `\n*${inLine(block.text)}*\n`;
  }
}

function comment({ title, quote, text, suggestion, answer, remark }: CommentBlock): string {
  const parts = [
    `### ${inLine(title)}`,
    fenced(quote ?? '', ''),
    words(text),
    fenced(suggestion ?? '', ''),
    answer === undefined ? '' : quoted(words(answer)),
    remark === undefined ? '' : `*${inLine(remark)}*`,
  ].filter((part) => part !== '');
  return `\n${parts.join('\n\n')}\n`;
}

function call(block: CallBlock): string {
  const outcome = block.outcome === 'done' ? '' : ` · ${block.outcome}`;
  const parts = [
    fenced(block.input, ''),
    block.change === undefined ? '' : `${inLine(block.change.kind)} ${inLine(block.change.path)}\n\n${fenced(block.change.patch, 'diff')}`,
    fenced(block.output, ''),
    pictures(block.images),
    block.inside.length === 0 ? '' : quoted(block.inside.map(markdownOf).join('').trim()),
  ].filter((part) => part !== '');
  return `\n<details>\n<summary>${inHtml(`${block.name} ${block.summary}`.trim())}${outcome}</summary>\n\n${parts.join('\n\n')}\n\n</details>\n`;
}

/** The agent's own Markdown, made safe: nothing runs, loads or stays unclosed. */
const words = (text: string): string =>
  fencedPartsOf(visible(text))
    .map((part) => (part.isCode ? fenced(part.text, '') : defused(part.text)))
    .join('\n');

const defused = (text: string): string =>
  text
    .replace(/<(?=[A-Za-z/!?])/g, '&lt;')
    .replace(/!\[/g, '!\\[')
    .replace(/\]\((?!\s*(?:https?:\/\/|mailto:|#|[\w./-]+\)))/gi, ']\\(')
    .replace(/^( {0,3})\[(?=[^\]\n]+\]:)/gm, '$1\\[');

/** Markdown syntax is not parsed between tags. */
const inHtml = (text: string): string =>
  visible(text)
    .replace(/\s+/g, ' ')
    .replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Escapes everything that could be markup inside a line. */
const inLine = (text: string): string => inHtml(text).replace(/[\\`*_[\]#|~!]/g, '\\$&');

/** The fence is longer than any inside the text. */
function fenced(text: string, language: string): string {
  if (text === '') return '';
  const body = visible(text);
  const longest = (body.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${body}${body.endsWith('\n') ? '' : '\n'}${fence}`;
}

const quoted = (text: string): string => text.replace(/^/gm, '> ');

const pictures = (images: readonly Picture[]): string =>
  images.map(({ uri, bytes }) => (uri === undefined ? `\n*An image of ${bytes} bytes was left out.*\n` : `\n![image](${uri})\n`)).join('');

function marksOf(marks: ItemMarks | undefined): string {
  if (marks === undefined) return '';
  const parts = [marks.star ? '★' : '', ...(marks.tags ?? []).map((tag) => inLine(`[${tag}]`)), inLine(marks.note ?? '')].filter((part) => part !== '');
  return parts.length === 0 ? '' : `\n> **Noted:** ${parts.join(' ')}\n`;
}
