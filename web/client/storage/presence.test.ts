import { expect, test } from 'vitest';
import { storedPresence } from './presence.ts';

const MINUTE = 60_000;

function browser() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  let time = Date.UTC(2026, 0, 1, 12);
  const page = (isVisible = true) =>
    storedPresence(
      storage,
      () => time,
      () => isVisible,
    );
  return { page, wait: (ms: number) => (time += ms) };
}

test('[R766] someone who comes back after ten minutes gets a recap of that time, after a reload too, until they dismiss it', () => {
  const { page, wait } = browser();
  expect(page().arrive()).toBeUndefined();
  wait(9 * MINUTE);
  expect(page(false).arrive()).toBeUndefined();
  wait(MINUTE);
  const absence = { since: '2026-01-01T12:00:00.000Z', until: '2026-01-01T12:10:00.000Z' };
  expect(page().arrive()).toEqual(absence);
  wait(MINUTE);
  const reloaded = page();
  expect(reloaded.arrive()).toEqual(absence);
  reloaded.dismiss();
  expect(page().arrive()).toBeUndefined();
});

test('[R766] nobody is away while any page of the browser is visible, and a short absence is none', () => {
  const { page, wait } = browser();
  const one = page();
  expect(one.arrive()).toBeUndefined();
  for (let minute = 0; minute < 20; minute++) {
    wait(MINUTE);
    one.note();
  }
  expect(page().arrive()).toBeUndefined();
  wait(9 * MINUTE);
  expect(page().arrive()).toBeUndefined();
});

test('a browser that stores nothing shows no recap', () => {
  const fails = () => {
    throw new Error('blocked');
  };
  const presence = storedPresence(
    { getItem: fails, setItem: fails, removeItem: fails },
    () => 0,
    () => true,
  );
  presence.note();
  presence.dismiss();
  expect(presence.arrive()).toBeUndefined();
});
