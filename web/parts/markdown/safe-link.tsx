import { isValidElement, type ReactNode } from 'react';

const SAFE = /^(https?:|mailto:)/i;

/** Only web and mail addresses become links; everything else stays text. If the text doesn't show where a link goes, the destination follows it. */
export function SafeLink({ href, children }: { readonly href: string | undefined; readonly children: ReactNode }) {
  if (href === undefined || !SAFE.test(href)) return <span>{children}</span>;
  const destination = destinationOf(href);
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
        {children}
      </a>
      {!showsDestination(textOf(children), destination) && <span className="link-place"> ({destination})</span>}
    </>
  );
}

/** The host or mail address in encoded form, so that no letter can pass for another. */
function destinationOf(href: string): string {
  try {
    const { protocol, host, pathname } = new URL(href);
    return protocol === 'mailto:' ? decodeURIComponent(pathname) : host;
  } catch {
    return href;
  }
}

/** Whether the text is that very address: mentioning it somewhere is not enough. */
function showsDestination(text: string, destination: string): boolean {
  const bare = text.trim().replace(/^(https?:\/\/|mailto:)/i, '');
  return bare === destination || bare.startsWith(`${destination}/`);
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(textOf).join('');
  return isValidElement<{ readonly children?: ReactNode }>(node) ? textOf(node.props.children) : '';
}
