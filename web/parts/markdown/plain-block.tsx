import { marked, type Token } from 'marked';
import { Fragment, type ReactNode } from 'react';

/** Syntax beyond the simple kind below: entities, tags, links, addresses, tables, tasks, fences, footnotes. */
const MORE = /[&<[\]|\\~@]|:\/\/|www\.|```|^ {0,3}>|^( {4}|\t)|\r/m;

/**
 * Renders a block that is still being written and uses only the most common syntax, straight from the lexer's tokens.
 * The full parser takes ten times as long, and such a block is rendered with every new word. Undefined for any other block.
 */
export function plainBlock(text: string): ReactNode | undefined {
  if (MORE.test(text)) return undefined;
  const [token, ...rest] = marked.lexer(text.trimEnd()).filter(({ type }) => type !== 'space');
  return token === undefined || rest.length > 0 ? undefined : renderBlock(token);
}

function renderBlock(token: Token): ReactNode | undefined {
  if (token.type === 'list') return token.ordered || token.loose ? undefined : renderList(token.items);
  const inline = token.type === 'paragraph' ? renderInline(token.tokens ?? []) : undefined;
  return inline === undefined ? undefined : <p>{inline}</p>;
}

/** Items of one line each, without nested lists. */
function renderList(items: readonly { readonly tokens: Token[] }[]): ReactNode | undefined {
  const lines = items.map(({ tokens: [line, ...more] }) => {
    if (line === undefined) return [];
    return line.type === 'text' && more.length === 0 && 'tokens' in line ? renderInline(line.tokens ?? []) : undefined;
  });
  if (lines.some((line) => line === undefined)) return undefined;
  return (
    <ul>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever added at the end
        <li key={at}>{line}</li>
      ))}
    </ul>
  );
}

/** Deeper nesting is left to the full parser, which has its own limit. */
const DEPTH = 8;

function renderInline(tokens: readonly Token[], depth = 0): ReactNode[] | undefined {
  if (depth > DEPTH) return undefined;
  const rendered = tokens.map((token) => renderToken(token, depth));
  if (rendered.some((part) => part === undefined)) return undefined;
  // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
  return rendered.map((part, at) => <Fragment key={at}>{part}</Fragment>);
}

function renderToken(token: Token, depth: number): ReactNode | undefined {
  switch (token.type) {
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? undefined : token.text;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'strong':
    case 'em': {
      const inline = renderInline(token.tokens ?? [], depth + 1);
      return inline === undefined ? undefined : token.type === 'em' ? <em>{inline}</em> : <strong>{inline}</strong>;
    }
    default:
      return undefined;
  }
}
