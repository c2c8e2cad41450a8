import { Window } from 'happy-dom';
import { expect, test } from 'vitest';
import { openAppearance } from './appearance.ts';

function memory(kept: Record<string, string> = {}) {
  const values = new Map(Object.entries(kept));
  return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) };
}

const newRoot = () => new Window().document.documentElement as unknown as HTMLElement;

test('what was chosen is shown at once and is there again after a reload', () => {
  const [root, storage] = [newRoot(), memory()];
  openAppearance(root, storage).change({ theme: 'light', text: '150' });
  expect(root.dataset).toMatchObject({ theme: 'light', text: '150', density: 'normal' });
  const again = newRoot();
  expect(openAppearance(again, storage).store.getState()).toMatchObject({ theme: 'light', text: '150' });
  expect(again.dataset.theme).toBe('light');
});

test('without a choice the style sheet follows the system', () => {
  const root = newRoot();
  openAppearance(root, memory()).change({ density: 'compact' });
  expect(root.dataset.theme).toBeUndefined();
});

test('the theme that an earlier release kept is taken up', () => {
  expect(openAppearance(newRoot(), memory({ 'signalbox:theme': 'dark' })).store.getState().theme).toBe('dark');
});

test('what cannot be read, and a storage that is forbidden, leave the page as it would be', () => {
  expect(openAppearance(newRoot(), memory({ 'signalbox:appearance': '{"theme":7' })).store.getState().theme).toBe('system');
  expect(openAppearance(newRoot(), memory({ 'signalbox:appearance': '{"theme":"pink","text":"115"}' })).store.getState()).toMatchObject({ theme: 'system' });
  const forbidden = {
    getItem: () => {
      throw new Error('forbidden');
    },
    setItem: () => {
      throw new Error('forbidden');
    },
  };
  const desk = openAppearance(newRoot(), forbidden);
  desk.change({ theme: 'dark' });
  expect(desk.store.getState().theme).toBe('dark');
});
