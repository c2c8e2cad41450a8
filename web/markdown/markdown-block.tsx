import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';
import { codeOf } from './code-of.ts';
import { plainBlock } from './plain-block.tsx';
import { SafeLink } from './safe-link.tsx';

const PLUGINS = [remarkGfm];

interface MarkdownBlockProps {
  readonly text: string;
  readonly isWriting: boolean;
}

/** One block. HTML in it is shown as text, pictures as links: an agent's words are never trusted. */
export const MarkdownBlock = memo(function MarkdownBlock({ text, isWriting }: MarkdownBlockProps) {
  const plain = isWriting ? plainBlock(text) : undefined;
  if (plain !== undefined) return plain;
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={isWriting ? WRITING : WHOLE}>
      {text}
    </ReactMarkdown>
  );
});

const common: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <SafeLink href={typeof src === 'string' ? src : undefined}>{alt || 'picture'}</SafeLink>,
  table: ({ children }) => (
    <div className="table-scroll">
      <table>{children}</table>
    </div>
  ),
};

const withCode = (isWriting: boolean): Components => ({
  ...common,
  pre: ({ node }) => {
    const { code, language } = codeOf(node);
    return <CodeBlock code={code} language={language} isWriting={isWriting} />;
  },
});

const WHOLE = withCode(false);
const WRITING = withCode(true);
