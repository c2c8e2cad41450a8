import { copyText } from '../../base/browser/copy-text.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

/** Copies text and shows an error if that fails; resolves to whether it worked. */
export function useCopy(): (text: string) => Promise<boolean> {
  const cockpit = useCockpit();
  return async (text) => {
    try {
      await copyText(text);
      return true;
    } catch (error) {
      cockpit.showNotice('error', `Couldn’t copy: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  };
}
