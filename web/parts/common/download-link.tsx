import type { ReactNode } from 'react';
import { useDownload } from './use-download.ts';

/** Looks and copies like a link to a file on the server; a click requests a signed link first, because a link can't carry a key. */
export function DownloadLink({ path, className, children }: { readonly path: string; readonly className?: string; readonly children: ReactNode }) {
  const download = useDownload();
  return (
    <a
      href={path}
      className={className}
      download
      onClick={(event) => {
        event.preventDefault();
        download(path);
      }}
    >
      {children}
    </a>
  );
}
