import { download } from '../../client/http/download.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

/** Saves a file of the server, and tells when that did not work. */
export function useDownload(): (path: string) => void {
  const cockpit = useCockpit();
  return (path) =>
    void download(document.baseURI, path).catch((error: unknown) => {
      cockpit.tell('error', `Nothing was downloaded: ${error instanceof Error ? error.message : String(error)}`);
    });
}
