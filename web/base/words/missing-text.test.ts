import { expect, test } from 'vitest';
import { ABLE } from '../../../src/domain/story.ts';
import { missingText } from './missing-text.ts';

test('an agent that can do everything misses nothing', () => expect(missingText(ABLE)).toBe(''));

test('what an agent cannot do is told in one line, and what follows from it is not told besides', () => {
  expect(missingText({ ...ABLE, steer: false, cost: false })).toBe('Not with this agent: steering, prices.');
  expect(missingText({ ...ABLE, fork: false, forkAt: false, permissions: false, editInput: false, modes: [] })).toBe(
    'Not with this agent: approvals, copies, permission modes.',
  );
});
