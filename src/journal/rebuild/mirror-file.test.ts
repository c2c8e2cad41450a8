import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accepted, receiptOf, runOf, sessionOf } from '../../../test/support/journal/samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { numbered } from '../number-events.ts';
import { readMirror } from './mirror-file.ts';

const folder = temporaryFolder();
const at = '2026-01-01T00:00:00.000Z';
const anchor = { run: runOf('r'), byte: 9 };
const first = numbered(accepted('c1'), 1, at);
const receipt = receiptOf(sessionOf('a'), 'c1', 1);

function read(...lines: readonly (object | string)[]) {
  const path = join(folder.make(), 'people.ndjson');
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return readMirror(path);
}

test('an event that a restart wrote again is taken once, with its first anchor', () => {
  expect(read({ event: first, anchor }, { event: first }).events).toEqual([{ event: first, anchor }]);
});

test('an input accepted a second time after a power loss is taken once', () => {
  expect(read({ event: first, anchor }, { event: numbered(accepted('c1'), 7, at) }).events).toHaveLength(1);
});

test('if a command has several receipts, the last one counts', () => {
  expect(read({ receipt }, { receipt: { ...receipt, seq: 7 } }).receipts).toEqual([{ ...receipt, seq: 7 }]);
});

test('torn or unknown lines are counted and skipped', () => {
  const content = read('{"event":{"ty', { event: first, anchor }, { event: { type: 'input.accepted', seq: 2 } }, { something: 'else' });
  expect([content.unreadable, content.events.length]).toEqual([3, 1]);
});

test("a session without the file has no people's events", () => {
  expect(readMirror(join(folder.make(), 'people.ndjson'))).toEqual({ events: [], receipts: [], unreadable: 0 });
});
