import { expect, test } from 'vitest';
import { ALL_CAPABILITIES } from '../../../test/support/domain/session-scenario.ts';
import { missingText } from './missing-text.ts';

test('an agent with every capability lacks nothing', () => expect(missingText(ALL_CAPABILITIES)).toBe(''));

test('missing features are listed in one line, without those that follow from another', () => {
  expect(missingText({ ...ALL_CAPABILITIES, steer: false, cost: false })).toBe('Not supported: steering, cost');
  expect(missingText({ ...ALL_CAPABILITIES, fork: false, forkAt: false, permissions: false, editInput: false, modes: [] })).toBe(
    'Not supported: approvals, forking, permission modes',
  );
});
