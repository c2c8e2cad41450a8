import { isValidElement, type ReactNode } from 'react';

const SAFE = /^(https?:|mailto:)/i;

/** Only addresses of the open web and mail become links; everything else stays text. Words that hide where a link leads are followed by it. */
export function SafeLink({ href, children }: { readonly href: string | undefined; readonly children: ReactNode }) {
  if (href === undefined || !SAFE.test(href)) return <span>{children}</span>;
  const place = placeOf(href);
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
        {children}
      </a>
      {!names(wordsOf(children), place) && <span className="link-place"> ({place})</span>}
    </>
  );
}

/** The host, or whom a mail goes to; as a machine reads it, so that no letter can pass for another. */
function placeOf(href: string): string {
  try {
    const { protocol, host, pathname } = new URL(href);
    return protocol === 'mailto:' ? decodeURIComponent(pathname) : host;
  } catch {
    return href;
  }
}

/** Whether words are that very address: mentioning it somewhere is not enough. */
function names(words: string, place: string): boolean {
  const bare = words.trim().replace(/^(https?:\/\/|mailto:)/i, '');
  return bare === place || bare.startsWith(`${place}/`);
}

function wordsOf(node: ReactNode): string {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(wordsOf).join('');
  return isValidElement<{ readonly children?: ReactNode }>(node) ? wordsOf(node.props.children) : '';
}
