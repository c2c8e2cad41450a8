import { expect, test } from 'vitest';
import { auditQuery, NO_FILTER } from './audit-query.ts';

test('an empty filter asks for everything', () => {
  expect(auditQuery(NO_FILTER)).toEqual({});
});

test('a range of days includes its first and last day in full', () => {
  const { after = '', before = '' } = auditQuery({ ...NO_FILTER, from: '2026-03-01', to: '2026-03-01', actor: ' Ada ' });

  expect(Date.parse(before) - Date.parse(after)).toBe(24 * 60 * 60 * 1000);
  expect(auditQuery({ ...NO_FILTER, actor: ' Ada ' })).toEqual({ actor: 'Ada' });
});
