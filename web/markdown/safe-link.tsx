import type { ReactNode } from 'react';

const SAFE = /^(https?:|mailto:)/i;

/** Only addresses of the open web and mail become links; everything else stays text. */
export function SafeLink({ href, children }: { readonly href: string | undefined; readonly children: ReactNode }) {
  if (href === undefined || !SAFE.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
