import { copyText } from '../../base/browser/copy-text.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

/** Copies, and tells when that did not work; the answer says whether it did. */
export function useCopy(): (text: string) => Promise<boolean> {
  const cockpit = useCockpit();
  return async (text) => {
    try {
      await copyText(text);
      return true;
    } catch (error) {
      cockpit.tell('error', `Nothing was copied: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  };
}
