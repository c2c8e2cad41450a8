import type { Session } from '../../protocol/session.ts';
import type { ItemMarks } from '../transcript/item.ts';
import type { Block, CallBlock, CommentBlock, Picture } from './block.ts';
import { fencedPartsOf, visible } from './fences.ts';
import { EXPORT_CSS } from './html-style.ts';

/** Applies to the saved file too: whatever an agent wrote, nothing runs and nothing is loaded. */
export const EXPORT_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

export function htmlHead(session: Session): string {
  const facts = [
    ['Agent', session.agent],
    ['Folder', session.cwd],
    ['Model', session.model],
    ['Started', session.createdAt],
    ['Last used', session.updatedAt],
    ['Tags', session.tags.join(', ')],
    ['Note', session.note],
  ];
  const list = facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`<dt>${name}</dt><dd>${safe(value)}</dd>`])).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${safe(EXPORT_CSP)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${safe(session.title)}</title>
<style>${EXPORT_CSS}</style>
</head>
<body>
<header><h1>${safe(session.title)}</h1><dl>${list}</dl></header>
<main>
`;
}

export const HTML_FOOT = '</main>\n</body>\n</html>\n';

export function htmlOf(block: Block): string {
  const marks = marksOf(block.marks);
  switch (block.kind) {
    case 'said':
      return `<section class="said"><h2>${safe(block.who)} <time>${safe(block.at ?? '')}</time></h2>${words(block.text)}${pictures(block.images)}${marks}</section>\n`;
    case 'answer':
      return `<section class="answer">${words(block.text)}${block.remark === undefined ? '' : `<p class="bad">${safe(block.remark)}</p>`}${marks}</section>\n`;
    case 'thinking':
      return `<details class="thinking"><summary>Thinking</summary>${words(block.text)}${marks}</details>\n`;
    case 'call':
      return call(block, marks);
    case 'comment':
      return comment(block);
    case 'line':
      return `<p class="line ${block.tone}">${safe(block.text)}</p>${marks}\n`;
  }
}

function comment({ title, quote = '', text, suggestion = '', answer, remark }: CommentBlock): string {
  const said = answer === undefined ? '' : `<blockquote>${words(answer)}</blockquote>`;
  return `<section class="comment"><h3>${safe(title)}</h3>${pre(quote)}${words(text)}${pre(suggestion)}${said}${remark === undefined ? '' : `<p>${safe(remark)}</p>`}</section>\n`;
}

function call(block: CallBlock, marks: string): string {
  const { name, summary, input, output, outcome, change, images, inside } = block;
  const outcomeText = outcome === 'done' ? '' : ` <em>${outcome}</em>`;
  const patch = change === undefined ? '' : `<p>${change.kind} <code>${safe(change.path)}</code></p>${diff(change.patch)}`;
  const body = `${pre(input)}${patch}${pre(output)}${pictures(images)}${inside.length === 0 ? '' : `<div class="inside">${inside.map(htmlOf).join('')}</div>`}`;
  return `<details class="call ${outcome}"><summary><b>${safe(name)}</b> <code>${safe(summary)}</code>${outcomeText}</summary>${body}${marks}</details>\n`;
}

/** Escapes every character that could start markup, in text and in attributes. */
const safe = (text: string): string => visible(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const words = (text: string): string =>
  fencedPartsOf(visible(text))
    .map((part) => (part.isCode ? pre(part.text) : `<div class="words">${inlineCode(safe(part.text.trim()))}</div>`))
    .join('');

/** Takes escaped text, so nothing between backticks can be markup. */
const inlineCode = (escaped: string): string => escaped.replace(/`([^`\n]+)`/g, '<code>$1</code>');

const pre = (text: string): string => (text === '' ? '' : `<pre>${safe(text)}</pre>`);

function diff(patch: string): string {
  const lines = patch.split('\n').map((line) => {
    const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : line.startsWith('@@') ? 'hunk' : undefined;
    return kind === undefined ? safe(line) : `<span class="${kind}">${safe(line)}</span>`;
  });
  return `<pre class="diff">${lines.join('\n')}</pre>`;
}

const pictures = (images: readonly Picture[]): string =>
  images
    .map(({ uri, bytes }) => (uri === undefined ? `<p class="line">An image of ${bytes} bytes was left out.</p>` : `<img alt="image" src="${safe(uri)}">`))
    .join('');

function marksOf(marks: ItemMarks | undefined): string {
  if (marks === undefined) return '';
  const parts = [marks.star ? '★' : '', ...(marks.tags ?? []).map((tag) => `[${tag}]`), marks.note ?? ''].filter((part) => part !== '');
  return parts.length === 0 ? '' : `<p class="noted">${safe(parts.join(' '))}</p>`;
}
