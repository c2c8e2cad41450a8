import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Problems } from '../../problems/problems.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { silentLog } from './log.ts';
import { openSeenSessions } from './seen-sessions.ts';

const A = 'a' as SessionId;
const B = 'b' as SessionId;
const FIRST_USE = '2026-01-01T00:00:00.000Z';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-seen-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = (now = FIRST_USE) => openSeenSessions(dataDir, new Problems(silentLog), () => new Date(now));

test('[R762] marks are durable when they are confirmed, for each person alone, with the time of the first use', async () => {
  const seen = open();
  seen.of('ann');
  await seen.see('ann', A, 7);
  await seen.see('bob', A, 3);
  const later = open('2026-02-01T00:00:00.000Z');
  expect(later.of('ann')).toEqual({ since: FIRST_USE, marks: { a: 7 } });
  expect(later.of('bob')).toEqual({ since: FIRST_USE, marks: { a: 3 } });
});

test('[R762] a late report of an earlier event lowers no mark, whatever the order', async () => {
  const seen = open();
  await Promise.all([seen.see('ann', A, 3), seen.see('ann', A, 9), seen.see('ann', A, 5), seen.see('ann', B, 1)]);
  expect(open().of('ann').marks).toEqual({ a: 9, b: 1 });
  await seen.unsee('ann', A);
  expect(open().of('ann').marks).toEqual({ a: 0, b: 1 });
});

test('[R762] every change is announced once, after it is durable', async () => {
  const seen = open();
  const heard: unknown[] = [];
  const stop = seen.watch((person, { marks }) => heard.push([person, marks, open().of(person).marks]));
  await seen.see('ann', A, 2);
  await seen.see('ann', A, 2);
  stop();
  await seen.unsee('ann', A);
  expect(heard).toEqual([['ann', { a: 2 }, { a: 2 }]]);
});

test('a damaged file costs the marks and nothing else', async () => {
  await open().see('ann', A, 2);
  const [file = ''] = readdirSync(join(dataDir, 'people'));
  expect(statSync(join(dataDir, 'people', file)).mode & 0o077).toBe(0);
  writeFileSync(join(dataDir, 'people', file), '{"since":');
  const seen = open('2026-03-01T00:00:00.000Z');
  expect(seen.of('ann')).toEqual({ since: '2026-03-01T00:00:00.000Z', marks: {} });
  await seen.see('ann', B, 4);
  expect(open().of('ann').marks).toEqual({ b: 4 });
});
