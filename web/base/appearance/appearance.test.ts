import { Window } from 'happy-dom';
import { expect, test } from 'vitest';
import { openAppearance } from './appearance.ts';

function memory(stored: Record<string, string> = {}) {
  const values = new Map(Object.entries(stored));
  return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) };
}

const newRoot = () => new Window().document.documentElement as unknown as HTMLElement;

test('a choice applies at once and survives a reload', () => {
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

test('the theme stored by an earlier release still applies', () => {
  expect(openAppearance(newRoot(), memory({ 'signalbox:theme': 'dark' })).store.getState().theme).toBe('dark');
});

test('unreadable settings and blocked storage leave the defaults', () => {
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
  const appearance = openAppearance(newRoot(), forbidden);
  appearance.change({ theme: 'dark' });
  expect(appearance.store.getState().theme).toBe('dark');
});
