import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPENCLAW_RECORDED, writeOpenclawDatabase } from '../../../test/support/agents/openclaw-database.ts';
import { corruptedText, invalidObservations, observationsIn, printed, readLines, withUnexpectedValues } from '../../../test/support/archive/past-lines.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openDatabase } from '../../journal/sqlite-driver.ts';
import { archive } from './archive.ts';

const FOLDER = join(import.meta.dirname, 'recordings');
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const observationsOf = (name: string) => observationsIn(readLines(archive, textOf(name)));

for (const name of names) {
  test(`reading the rows ${name} returns the same result as before`, async () => {
    await expect(printed(readLines(archive, textOf(name)))).toMatchFileSnapshot(join(FOLDER, name.replace('.jsonl', '.golden.json')));
  });
}

test("every observation from OpenClaw's rows is known and has a valid shape, and nothing is unrecognized", () => {
  const observed = names.flatMap(observationsOf);
  expect(invalidObservations(observed)).toEqual([]);
  expect(observed.filter(({ type }) => type === 'unrecognised')).toEqual([]);
});

test("an interrupted answer says so, and names no model; a failed one has the service's error message", () => {
  const texts = observationsOf('2026.9.6-gateway.jsonl').flatMap((one) => (one.type === 'assistant.text' ? [one] : []));
  const cut = texts.filter((one) => one.interrupted);
  expect(cut).toMatchObject([{ text: 'A long slow text that is aborted in' }]);
  expect(cut[0]).not.toHaveProperty('model');
  expect(texts.at(-1)).toMatchObject({ error: '400', text: expect.stringContaining('bad scripted') });
});

test('a written file is reported with its patch', () => {
  const changes = observationsOf('2026.9.6-gateway.jsonl').flatMap((one) => (one.type === 'tool.completed' && one.change ? [one.change] : []));
  expect(changes).toEqual([{ kind: 'create', path: '/home/dev/proj/g.txt', patch: '@@ -0,0 +1,1 @@\n+alpha\n' }]);
});

test('[R205] the database lists its conversations and returns the rows above a number, including packed ones', () => {
  const path = join(temporaryFolder('openclaw'), 'openclaw-agent.sqlite');
  const [first, second] = OPENCLAW_RECORDED;
  if (first === undefined || second === undefined) return expect.fail('two conversations were recorded');
  writeOpenclawDatabase(path, [first, { ...second, packedFrom: 10 }]);
  const kind = archive.recordOf('main/agent/openclaw-agent.sqlite');
  if (kind?.kind !== 'database') return expect.fail('it is a database');
  const db = openDatabase(path);
  try {
    const listed = db.prepare(kind.conversations).all();
    expect(listed.toSorted((a, b) => Number(b.lastRow) - Number(a.lastRow))).toEqual([
      { id: first.id, lastRow: first.lines.length },
      { id: second.id, lastRow: second.lines.length },
    ]);
    const rows = db.prepare(kind.rows);
    expect(rows.all(first.id, 0, 2)).toEqual([
      { row: 1, line: first.lines[0], packed: null },
      { row: 2, line: first.lines[1], packed: null },
    ]);
    expect(rows.all(first.id, first.lines.length, 10)).toEqual([]);
    const [packed] = rows.all(second.id, 10, 1);
    expect(packed).toMatchObject({ row: 11, line: null });
    expect(
      Buffer.from(packed?.packed as Uint8Array)
        .subarray(0, 4)
        .toString('hex'),
    ).toBe('28b52ffd');
  } finally {
    db.close();
  }
});

test('its database and the files of old versions are recognized by their paths', () => {
  expect(archive.recordOf('main/sessions/11111111-2222-4333-8444-555555555501.jsonl')).toEqual({
    kind: 'lines',
    agentSessionId: '11111111-2222-4333-8444-555555555501',
  });
  for (const other of ['main/sessions/1.trajectory.jsonl', 'main/sessions/sessions.json', 'main/agent/openclaw-agent.sqlite-wal', 'openclaw-agent.sqlite']) {
    expect(archive.recordOf(other)).toBeUndefined();
  }
  expect(archive.roots({ HOME: '/home/dev' })).toEqual(['/home/dev/.openclaw/agents']);
  expect(archive.roots({ HOME: '/home/dev', OPENCLAW_HOME: '/srv' })).toEqual(['/srv/.openclaw/agents']);
  expect(archive.roots({ HOME: '/home/dev', OPENCLAW_HOME: '/srv', OPENCLAW_STATE_DIR: '/state' })).toEqual(['/state/agents']);
});

test('damaged rows never throw, and their observations stay valid', () => {
  for (const name of names) {
    for (let seed = 1; seed <= 50; seed += 1) {
      const text = corruptedText(textOf(name), seed);
      expect(invalidObservations(observationsIn(readLines(archive, text))), `seed ${seed} of ${name}`).toEqual([]);
    }
  }
});

test('a row with any value of another type never throws, and its observations stay valid', () => {
  for (const line of textOf('2026.9.6-gateway.jsonl').trim().split('\n')) {
    for (const strange of withUnexpectedValues(line)) expect(invalidObservations(archive.read(strange, {}).observations), strange.slice(0, 200)).toEqual([]);
  }
});
