import { marked, type Token } from 'marked';
import { Fragment, type ReactNode } from 'react';

/** What may mean more than the few signs below: characters that are written as names, tags, links and addresses, tables, tasks, fences, footnotes. */
const MORE = /[&<[\]|\\~@]|:\/\/|www\.|```|^ {0,3}>|^( {4}|\t)|\r/m;

/**
 * A block that is still being written and has only the commonest signs in it, drawn from the tokens into which it was cut.
 * The whole grammar takes ten times as long, and such a block is drawn again with every word. Undefined when it is not for this.
 */
export function plainBlock(text: string): ReactNode | undefined {
  if (MORE.test(text)) return undefined;
  const [token, ...rest] = marked.lexer(text.trimEnd()).filter(({ type }) => type !== 'space');
  return token === undefined || rest.length > 0 ? undefined : drawnBlock(token);
}

function drawnBlock(token: Token): ReactNode | undefined {
  if (token.type === 'list') return token.ordered || token.loose ? undefined : drawnList(token.items);
  const words = token.type === 'paragraph' ? drawnWords(token.tokens ?? []) : undefined;
  return words === undefined ? undefined : <p>{words}</p>;
}

/** Items of one line each, without lists in them. */
function drawnList(items: readonly { readonly tokens: Token[] }[]): ReactNode | undefined {
  const lines = items.map(({ tokens: [line, ...more] }) => {
    if (line === undefined) return [];
    return line.type === 'text' && more.length === 0 && 'tokens' in line ? drawnWords(line.tokens ?? []) : undefined;
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

/** Words nested deeper than this are left to the whole grammar, which has a bound. */
const DEPTH = 8;

function drawnWords(tokens: readonly Token[], depth = 0): ReactNode[] | undefined {
  if (depth > DEPTH) return undefined;
  const drawn = tokens.map((token) => drawnWord(token, depth));
  if (drawn.some((word) => word === undefined)) return undefined;
  // biome-ignore lint/suspicious/noArrayIndexKey: words are only ever added at the end
  return drawn.map((word, at) => <Fragment key={at}>{word}</Fragment>);
}

function drawnWord(token: Token, depth: number): ReactNode | undefined {
  switch (token.type) {
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? undefined : token.text;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'strong':
    case 'em': {
      const words = drawnWords(token.tokens ?? [], depth + 1);
      return words === undefined ? undefined : token.type === 'em' ? <em>{words}</em> : <strong>{words}</strong>;
    }
    default:
      return undefined;
  }
}
