import { useCockpit } from '../app/cockpit-context.ts';
import { copyText } from './copy-text.ts';

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
