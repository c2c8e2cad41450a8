import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replay } from '../../../../test/support/agents/replay.ts';
import { corruptedText, invalidObservations, observationsIn, printed, readLines, withUnexpectedValues } from '../../../../test/support/archive/past-lines.ts';
import type { KeptObservation, Observation } from '../../../protocol/observation.ts';
import { pi } from '../index.ts';
import { archive } from './archive.ts';

const RECORDINGS = join(import.meta.dirname, '../recordings');
const VAULT = join(RECORDINGS, 'vault');
const names = readdirSync(VAULT).filter((name) => name.endsWith('.jsonl'));
const textOf = (name: string): string => readFileSync(join(VAULT, name), 'utf8');
const linesOf = (name: string) => readLines(archive, textOf(name));

for (const name of names) {
  test(`reading the record ${name} returns the same result as before`, async () => {
    await expect(printed(linesOf(name))).toMatchFileSnapshot(join(VAULT, name.replace('.jsonl', '.golden.json')));
  });
}

test('every observation from a record of Pi is known and has a valid shape, and nothing is unrecognized', () => {
  const observed = names.flatMap((name) => observationsIn(linesOf(name)));
  expect(invalidObservations(observed)).toEqual([]);
  expect(observed.filter(({ type }) => type === 'unrecognised')).toEqual([]);
});

/** The wire and the file of the same run. */
const both = names.flatMap((file) => {
  const name = file.replace('.jsonl', '').replace('-after-sigkill', '');
  const wire = readdirSync(RECORDINGS).includes(`${name}.ndjson`) ? readFileSync(join(RECORDINGS, `${name}.ndjson`), 'utf8') : undefined;
  return wire === undefined ? [] : [{ file, recording: { name, lines: wire.split('\n').filter((line) => line !== '') } }];
});

const itemsOf = (observed: readonly Observation[]) =>
  observed.flatMap((one) => ('itemId' in one && one.itemId !== undefined ? [`${one.type} ${one.itemId}`] : []));
const isMessage = (one: KeptObservation) => one.type !== 'user.message' || one.origin === 'agent';

for (const { file, recording } of both) {
  test(`[R203] everything in ${file} has the ids it was printed with, except lines that no stream has`, () => {
    const live = itemsOf(replay(pi, recording));
    const kept = itemsOf(observationsIn(linesOf(file).filter((line) => !line.unprinted)).filter(isMessage));
    expect(kept.filter((item) => !live.includes(item))).toEqual([]);
    expect(kept.length > 0).toBe(!file.endsWith('-errors.jsonl'));
  });
}

test('every wire recording with a file is compared', () => expect(both.length).toBe(18));

const entry = (message: object, more: object = {}) =>
  JSON.stringify({
    type: 'message',
    id: 'e1',
    parentId: 'e0',
    timestamp: '2026-11-15T01:00:00.500Z',
    message: { timestamp: 1_794_704_400_000, ...message },
    ...more,
  });
const itemIn = (line: string) => archive.read(line, {}).observations.map((one) => ('itemId' in one ? one.itemId : one.type));

test("a person's message is identified by our input, by its time, or by its line", () => {
  const message = { role: 'user', content: 'hello' };
  expect(itemIn(entry({ ...message, signalbox: { input: 'command-1' } }))).toEqual(['command-1']);
  expect(itemIn(entry({ ...message, signalbox: {} }))).toEqual(['u1794704400000']);
  expect(itemIn(entry(message))).toEqual(['e1']);
});

test('an answer is identified by its time, as on the wire; one that did not come from a model, by its line', () => {
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'hi' }] };
  expect(itemIn(entry(answer))).toEqual(['m1794704400000:0']);
  expect(itemIn(entry(answer, { timestamp: '2026-11-15T01:00:00.000Z' }))).toEqual(['e1:0']);
});

test('a copied file names its original', () => {
  expect(linesOf('0.73.1-fork-resume-2-fork.jsonl')[0]?.copiedFrom?.agentSessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(linesOf('0.73.1-fork-resume-1-original.jsonl')[0]).not.toHaveProperty('copiedFrom');
});

test("a patch belongs to a file in the conversation's folder", () => {
  const changes = ['0.73.1', '0.87.1'].map((version) =>
    observationsIn(linesOf(`${version}-edit-diff.jsonl`)).flatMap((one) => ('change' in one ? [one.change] : [])),
  );
  const change = { kind: 'edit', path: '/home/dev/proj.a/e.txt', patch: '@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n' };
  expect(changes).toEqual([[change], [change]]);
});

test("a name that someone chose is the session's title; without one, its first words are", () => {
  const text = textOf('0.87.1-tools.jsonl');
  expect(archive.readFacts(text, '')).toMatchObject({ cwd: '/home/dev/proj.a', title: 'my session', model: 'fakeresp/fake-resp' });
  expect(archive.readFacts(text.slice(0, 9000), '').title).toMatch(/^Do the task/);
  expect(archive.readFacts(text.slice(0, 9000), text.slice(-3000)).lastAt).toBe('2026-11-15T01:02:15.369Z');
});

test('files are recognized by their names, in the folder of a working folder or in one for all', () => {
  const id = '01a1dcb9-e8a3-761f-9bdd-690410c55ad4';
  const record = { kind: 'lines', agentSessionId: id };
  expect(archive.recordOf(`--home-dev-proj--/2026-11-15T01-02-13-669Z_${id}.jsonl`)).toEqual(record);
  expect(archive.recordOf(`2026-11-15T01-02-13-669Z_${id}.jsonl`)).toEqual(record);
  expect(archive.recordOf('2026-11-15T01-02-13-669Z_my_own.id.jsonl')).toEqual({ kind: 'lines', agentSessionId: 'my_own.id' });
  for (const other of ['auth.json', `${id}.jsonl`, `a/b/2026_${id}.jsonl`, `a/2026_${id}.jsonl.tmp`]) expect(archive.recordOf(other)).toBeUndefined();
  expect(archive.roots({ HOME: '/home/dev' })).toEqual(['/home/dev/.pi/agent/sessions']);
  expect(archive.roots({ HOME: '/home/dev', PI_CODING_AGENT_DIR: '/else' })).toEqual(['/else/sessions']);
  expect(archive.roots({ HOME: '/home/dev', PI_CODING_AGENT_SESSION_DIR: '/all' })).toEqual(['/all']);
});

test('a damaged record of Pi never throws, and its observations stay valid', () => {
  for (const name of names) {
    for (let seed = 1; seed <= 20; seed += 1) {
      const text = corruptedText(textOf(name), seed);
      expect(invalidObservations(observationsIn(readLines(archive, text))), `seed ${seed} of ${name}`).toEqual([]);
      archive.readFacts(text.slice(seed * 50, seed * 50 + 3000), text.slice(-2000));
    }
  }
});

test('a line of Pi with any value of another type never throws, and its observations stay valid', () => {
  const lines = new Set(['0.87.1-tools.jsonl', '0.87.1-tree-branches.jsonl', '0.73.1-compaction.jsonl'].flatMap((name) => textOf(name).trim().split('\n')));
  for (const line of lines)
    for (const strange of withUnexpectedValues(line)) expect(invalidObservations(archive.read(strange, {}).observations), strange.slice(0, 200)).toEqual([]);
});
