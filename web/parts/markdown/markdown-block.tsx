import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { PlainText } from '../../base/ui/plain-text.tsx';
import { isDeep, isLight, isShallow, type Tree } from './bounds.ts';
import { CodeBlock } from './code-block.tsx';
import { codeOf } from './code-of.ts';
import { plainBlock } from './plain-block.tsx';
import { SafeLink } from './safe-link.tsx';

interface MarkdownBlockProps {
  readonly text: string;
  readonly isWriting: boolean;
}

/** One block. HTML in it is shown as text, pictures as links: an agent's words are never trusted. A block that cannot be parsed is shown as plain text. */
export const MarkdownBlock = memo(function MarkdownBlock({ text, isWriting }: MarkdownBlockProps) {
  return parsed(text, isWriting) ?? <PlainText text={text} />;
});

/** Parsed here and not while React draws: a parser that runs out of stack costs this block its form, and nothing else. */
function parsed(text: string, isWriting: boolean): ReactNode | undefined {
  try {
    if (!isShallow(text) || !isLight(text)) return undefined;
    if (!isWriting) return ReactMarkdown({ ...PLUGINS, components: WHOLE, children: text });
    const closed = remend(text);
    return plainBlock(closed) ?? ReactMarkdown({ ...PLUGINS, components: WRITING, children: closed });
  } catch {
    return undefined;
  }
}

const refuseDeep = () => (tree: Tree) => {
  if (isDeep(tree)) throw new RangeError('This block nests too deep to be drawn');
};

const PLUGINS = { remarkPlugins: [remarkGfm], rehypePlugins: [refuseDeep] };

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
