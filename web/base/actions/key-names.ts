/** What of a key press has a name. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** `c`, `?`, `Escape`, `Mod+k` (Ctrl, or Cmd on a Mac), `Alt+ArrowUp`. Shift is in the sign itself, except with keys that have none. */
export function keyNameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string {
  const isSign = key.length === 1;
  const held = [ctrlKey || metaKey ? 'Mod+' : '', altKey ? 'Alt+' : '', shiftKey && !isSign ? 'Shift+' : ''].join('');
  return `${held}${held.includes('Mod+') ? key.replace(/^[A-Z]$/, (letter) => letter.toLowerCase()) : key}`;
}

const WORDS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Enter: '⏎' };

/** A key as a person reads it on the keyboard. */
export const keyText = (name: string, isMac: boolean): string =>
  name
    .split(' ')
    .map((press) => pressText(press, isMac))
    .join(' ');

function pressText(press: string, isMac: boolean): string {
  const [, held = '', key = press] = /^((?:(?:Mod|Alt|Shift)\+)*)(.+)$/.exec(press) ?? [];
  const modifiers = held.split('+').flatMap((part) => (part === '' ? [] : [part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : part]));
  const word = WORDS[key] ?? (modifiers.length > 0 && key.length === 1 ? key.toUpperCase() : key);
  return [...modifiers, word].join(' ');
}
