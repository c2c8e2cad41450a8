import { type Shortcuts, useShortcuts } from '../ui/use-shortcuts.ts';

/** Keys of a card. A key that is held down answers once, and what it opens does not get its letter. */
export function useCardKeys(hasKeys: boolean, keys: Readonly<Record<string, () => void>>): void {
  const once: Shortcuts = Object.fromEntries(
    Object.entries(keys).map(([name, act]) => [
      name,
      (event: KeyboardEvent) => {
        event.preventDefault();
        if (!event.repeat) act();
      },
    ]),
  );
  useShortcuts(hasKeys ? once : {});
}
