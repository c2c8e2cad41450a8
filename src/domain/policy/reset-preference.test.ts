import { expect, test } from 'vitest';
import type { SessionId } from '../../protocol/ids.ts';
import { preferenceFor, type ResetPreference } from './reset-preference.ts';

test('[R367] the narrowest preference decides', () => {
  const preferences: readonly ResetPreference[] = [
    { scope: { kind: 'everywhere' }, choice: 'on' },
    { scope: { kind: 'project', folder: '/work' }, choice: 'off' },
    { scope: { kind: 'project', folder: '/work/shop' }, choice: 'on' },
    { scope: { kind: 'session', sessionId: 's1' as SessionId }, choice: 'off' },
  ];
  const choice = (id: string, cwd: string) => preferenceFor(preferences, { id: id as SessionId, cwd })?.choice;
  expect([choice('s1', '/work/shop'), choice('s2', '/work/shop/a'), choice('s2', '/work/other'), choice('s2', '/workshop')]).toEqual([
    'off',
    'on',
    'off',
    'on',
  ]);
  expect(preferenceFor([], { id: 's1' as SessionId, cwd: '/' })).toBeUndefined();
});
