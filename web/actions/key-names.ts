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
export function keyText(name: string, isMac: boolean): string {
  const words = name.split(' ').map((press) => press.split('+').map(partText(isMac)).join(' '));
  return words.join(' ');
}

const partText = (isMac: boolean) => (part: string, _at: number, parts: readonly string[]) => {
  // The plus sign itself leaves two empty parts.
  if (part === '') return parts.length === 2 && parts[0] === '' ? '+' : '';
  if (part === 'Mod') return isMac ? '⌘' : 'Ctrl';
  return parts.length > 1 && part.length === 1 ? part.toUpperCase() : (WORDS[part] ?? part);
};
