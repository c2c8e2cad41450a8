import { memo } from 'react';
import { CopyButton } from '../common/copy-button.tsx';
import type { CodeToken } from './highlight.ts';
import { useHighlighted } from './use-highlighted.ts';

interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  readonly isWriting: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, isWriting }: CodeBlockProps) {
  const lines = useHighlighted(code, isWriting ? '' : language);
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language || 'text'}</span>
        <CopyButton text={code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {/* biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move */}
          {lines === undefined ? code : lines.map((line, at) => <CodeLine key={at} tokens={line} />)}
        </code>
      </pre>
    </div>
  );
});

function CodeLine({ tokens }: { readonly tokens: readonly CodeToken[] }) {
  return (
    <>
      {tokens.map((token, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of one line never move
        <span key={at} style={token.color === undefined ? undefined : { color: token.color }}>
          {token.content}
        </span>
      ))}
      {'\n'}
    </>
  );
}
