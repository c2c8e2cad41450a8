export type Theme = 'system' | 'dark' | 'light';

const KEY = 'signalbox:theme';
const NEXT: Record<Theme, Theme> = { system: 'dark', dark: 'light', light: 'system' };

export const nextTheme = (theme: Theme): Theme => NEXT[theme];

export function storedTheme(storage: Pick<Storage, 'getItem'>): Theme {
  const value = storage.getItem(KEY);
  return value === 'dark' || value === 'light' ? value : 'system';
}

export function applyStoredTheme(root: HTMLElement, storage: Pick<Storage, 'getItem'>): void {
  show(root, storedTheme(storage));
}

export function chooseTheme(root: HTMLElement, storage: Pick<Storage, 'setItem'>, theme: Theme): void {
  storage.setItem(KEY, theme);
  show(root, theme);
}

/** Without the attribute the style sheet follows the system by itself. */
function show(root: HTMLElement, theme: Theme): void {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
}
