import { expect, test } from 'vitest';
import { readRecords } from '../../../../test/support/agents/claude-records.ts';
import { seeded } from '../../../../test/support/seeded.ts';
import { OBSERVATIONS } from '../../../protocol/observation-manifest.ts';
import { archive } from './archive.ts';

const SEED = 20261115;
/** A kind of line that no recording has. */
const RETRY =
  '{"type":"system","subtype":"api_error","uuid":"u","parentUuid":"p","retryAttempt":1,"maxRetries":10,"retryInMs":9.5,"error":{"message":"m","status":529}}';
const distinct = [...new Set([RETRY, ...readRecords().flatMap((record) => record.lines)])];

/** Reads a line and checks the shape of everything it reports. */
function readAndCheck(line: string, from: string): void {
  const observed = archive.read(line, { companion: '{"toolUseId":"call"}' });
  for (const one of observed.observations) {
    const definition = OBSERVATIONS.find(({ type }) => type === one.type);
    expect(definition?.schema['~standard'].validate(one), `seed ${SEED}, ${from}: ${line.slice(0, 300)}`).not.toHaveProperty('issues');
  }
  expect(observed.spent === undefined || Object.values(observed.spent.usage).every(Number.isSafeInteger)).toBe(true);
  archive.readFacts(line, line);
}

test('a line that is cut anywhere, or has flipped bytes, is read correctly or kept as unrecognized', () => {
  const random = seeded(SEED);
  for (const line of distinct) {
    readAndCheck(line.slice(0, Math.floor(random() * line.length)), 'cut at its end');
    readAndCheck(line.slice(Math.floor(random() * line.length)), 'cut at its start');
    const bytes = Buffer.from(line);
    for (let flips = 0; flips < 3; flips += 1) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    readAndCheck(bytes.toString(), 'flipped bytes');
  }
});

const STRANGE: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  'text',
  'x'.repeat(400),
  [],
  [null],
  [[]],
  {},
  { type: 'text' },
  { __proto__: null, type: 7 },
];

/** Every value in a tree, replaced in turn. */
function* replaced(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const other of replaced(inner, by)) yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
  }
}

/** One line of each kind and shape: the fields that it has. */
const shapes = [...new Map(distinct.map((line) => [shapeOf(JSON.parse(line)), line])).values()];

function shapeOf(line: { type: string; subtype?: string; message?: { content?: unknown }; attachment?: { type?: string } }): string {
  const content = line.message?.content;
  const blocks = Array.isArray(content) ? content.map((block: { type: string }) => block.type).join() : typeof content;
  return [line.type, line.subtype, line.attachment?.type, blocks, Object.keys(line).length].join('/');
}

test('[R202] a line with any field of another type is read correctly or kept as unrecognized', () => {
  expect(shapes.length).toBeGreaterThan(40);
  for (const line of shapes) {
    for (const strange of STRANGE) {
      for (const other of replaced(JSON.parse(line), strange))
        readAndCheck(JSON.stringify(other), `a field replaced by ${JSON.stringify(strange)?.slice(0, 20)}`);
    }
  }
}, 60_000);

test('an invalid companion file counts as none', () => {
  const line = readRecords().find((record) => record.kind.part !== undefined)?.lines[0] ?? expect.fail('no record has a part');
  const bare = archive.read(line, {});
  for (const companion of ['', '{', 'null', '[]', '{"toolUseId":7}', '{"toolUseId":""}', '"toolUseId"'])
    expect(archive.read(line, { companion })).toEqual(bare);
});

test('a line nested too deeply to print is still read', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  for (const content of [`[${deep}]`, `[{"type":"tool_result","tool_use_id":"t","content":[${deep}]}]`]) {
    readAndCheck(`{"type":"user","uuid":"u","parentUuid":null,"message":{"content":${content}}}`, 'deep');
  }
  readAndCheck(`{"type":"assistant","uuid":"u","parentUuid":null,"message":{"id":"m","content":[{"type":"novelty","of":${deep}}]}}`, 'deep');
});
