/** The parts of a key press that its name uses. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** `c`, `?`, `Escape`, `Mod+k` (Ctrl, or Cmd on a Mac), `Alt+ArrowUp`. Shift is part of the character, except for keys without one. */
export function keyNameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string {
  const isCharacter = key.length === 1;
  const held = [ctrlKey || metaKey ? 'Mod+' : '', altKey ? 'Alt+' : '', shiftKey && !isCharacter ? 'Shift+' : ''].join('');
  return `${held}${held.includes('Mod+') ? key.replace(/^[A-Z]$/, (letter) => letter.toLowerCase()) : key}`;
}

const LABELS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Enter: '⏎' };

/** A key as printed on the keyboard. */
export const keyText = (name: string, isMac: boolean): string =>
  name
    .split(' ')
    .map((press) => pressText(press, isMac))
    .join(' ');

function pressText(press: string, isMac: boolean): string {
  const [, held = '', key = press] = /^((?:(?:Mod|Alt|Shift)\+)*)(.+)$/.exec(press) ?? [];
  const modifiers = held.split('+').flatMap((part) => (part === '' ? [] : [part === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : part]));
  const word = LABELS[key] ?? (modifiers.length > 0 && key.length === 1 ? key.toUpperCase() : key);
  return [...modifiers, word].join(' ');
}
