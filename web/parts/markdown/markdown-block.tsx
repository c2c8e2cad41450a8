import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { PlainText } from '../../base/ui/plain-text.tsx';
import { isDeep, isLight, isShallow, type Tree } from './bounds.ts';
import { CodeBlock } from './code-block.tsx';
import { plainBlock } from './plain-block.tsx';
import { SafeLink } from './safe-link.tsx';

interface MarkdownBlockProps {
  readonly text: string;
  readonly isWriting: boolean;
}

/** One block. HTML is shown as text and pictures as links: an agent's output is never trusted. A block that can't be parsed is shown as plain text. */
export const MarkdownBlock = memo(function MarkdownBlock({ text, isWriting }: MarkdownBlockProps) {
  return parsed(text, isWriting) ?? <PlainText text={text} />;
});

/** Parsed here and not while React renders: if the parser runs out of stack, only this block loses its formatting. */
function parsed(text: string, isWriting: boolean): ReactNode | undefined {
  try {
    if (!isShallow(text) || !isLight(text)) return undefined;
    if (!isWriting) return ReactMarkdown({ ...PLUGINS, components: COMPLETE, children: text });
    const closed = remend(text);
    return plainBlock(closed) ?? ReactMarkdown({ ...PLUGINS, components: WRITING, children: closed });
  } catch {
    return undefined;
  }
}

const refuseDeep = () => (tree: Tree) => {
  if (isDeep(tree)) throw new RangeError('This block nests too deep to be rendered');
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

const COMPLETE = withCode(false);
const WRITING = withCode(true);

interface Node {
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

/** The text and language of a fenced block, from its tree. */
function codeOf(pre: unknown): { readonly code: string; readonly language: string } {
  const code = (pre as Node | undefined)?.children?.find((child) => child.tagName === 'code');
  const names = code?.properties?.className;
  const name = Array.isArray(names) ? names.find((value) => typeof value === 'string' && value.startsWith('language-')) : undefined;
  return { code: textOf(code).replace(/\n$/, ''), language: typeof name === 'string' ? name.slice('language-'.length) : '' };
}

const textOf = (node: Node | undefined): string => node?.value ?? node?.children?.map(textOf).join('') ?? '';
