import { download } from '../../client/http/download.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

/** Downloads a file from the server and shows an error if that fails. */
export function useDownload(): (path: string) => void {
  const cockpit = useCockpit();
  return (path) =>
    void download(document.baseURI, path).catch((error: unknown) => {
      cockpit.showNotice('error', `Couldn’t download: ${error instanceof Error ? error.message : String(error)}`);
    });
}
