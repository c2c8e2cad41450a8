import { expect, test } from 'vitest';
import type { MarkEvent } from '../../../../src/domain/transcript/item.ts';
import { markText } from './mark-text.ts';

const exited = (reason: string, more: object = {}): MarkEvent => ({
  seq: 1,
  at: '2026-11-15T12:00:00.000Z',
  type: 'session.exited',
  run: 'r' as never,
  reason,
  ...more,
});

const cases = [
  ['one that died, with its status', exited('died', { code: 3 }), "The agent's process ended unexpectedly (exit 3)"],
  ['one that was killed, with the signal', exited('died', { code: null, signal: 'SIGKILL' }), "The agent's process ended unexpectedly (SIGKILL)"],
  ['one that sleeps', exited('sleep'), 'The agent went to sleep; the next message wakes it'],
  ['a reason that has no words of its own', exited('moved'), "The agent's process ended: moved"],
] as const;
for (const [name, event, expected] of cases) test(`the end of a process is told in words: ${name}`, () => expect(markText(event)).toBe(expected));
