import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LIMITS } from '../../protocol/limits.ts';
import { openPersonStates } from './person-states.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-people-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a person’s state survives a restart and is visible only to them', async () => {
  await openPersonStates(dataDir).change('ada', { layout: { left: 200 } });
  const next = openPersonStates(dataDir);
  expect(await next.read('ada')).toEqual({ layout: { left: 200 } });
  expect(await next.read('bob')).toEqual({});
});

test('concurrent patches are all stored, in order', async () => {
  const states = openPersonStates(dataDir);
  await Promise.all(Array.from({ length: 20 }, (_, n) => states.change('ada', { [`field${n}`]: n, last: n })));
  expect(await states.read('ada')).toMatchObject({ field0: 0, field19: 19, last: 19 });
});

test('a partial file that a killed server left behind is never read', async () => {
  const states = openPersonStates(dataDir);
  await states.change('ada', { a: 1 });
  const [file] = readdirSync(join(dataDir, 'people'));
  writeFileSync(join(dataDir, 'people', `${file}.killed.new`), '{"a":');
  expect(await openPersonStates(dataDir).read('ada')).toEqual({ a: 1 });
});

test('beyond the limit nothing changes', async () => {
  const states = openPersonStates(dataDir);
  await states.change('ada', { a: 1 });
  expect(await states.change('ada', { b: 'x'.repeat(LIMITS.personStateBytes) })).toMatchObject({ refused: 'too-large' });
  expect(await states.read('ada')).toEqual({ a: 1 });
});

test('endless nesting is refused', async () => {
  let deep: Record<string, unknown> = {};
  for (let n = 0; n < 20_000; n += 1) deep = { deep };
  expect(await openPersonStates(dataDir).change('ada', deep)).toMatchObject({ refused: 'bad-request' });
});

test('a name is never a path, and only the owner of the machine can read the files', async () => {
  await openPersonStates(dataDir).change('../../etc/passwd', { a: 1 });
  const [file = ''] = readdirSync(join(dataDir, 'people'));
  expect(file).toMatch(/^[0-9a-f]{32}\.json$/);
  expect(statSync(join(dataDir, 'people', file)).mode & 0o077).toBe(0);
});

test('a damaged file is reported, not overwritten', async () => {
  const states = openPersonStates(dataDir);
  await states.change('ada', { a: 1 });
  const [file = ''] = readdirSync(join(dataDir, 'people'));
  writeFileSync(join(dataDir, 'people', file), 'scribble');
  await expect(states.change('ada', { b: 2 })).rejects.toThrow('is damaged');
});
