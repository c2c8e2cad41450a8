import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Observation } from '../../protocol/observation.ts';
import { demo } from './index.ts';

const RECORDINGS = join(import.meta.dirname, 'recordings');
const names = readdirSync(RECORDINGS).filter((name) => name.endsWith('.ndjson'));

const replay = (name: string): Observation[] =>
  readFileSync(join(RECORDINGS, name), 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => [...demo.translate(demo.initial(), line).observations]);

for (const name of names) {
  test(`replaying ${name} results in the same observations as before`, async () => {
    const kept = replay(name).filter((one) => one.type !== 'delta');
    await expect(`${JSON.stringify(kept, null, 1)}\n`).toMatchFileSnapshot(join(RECORDINGS, name.replace('.ndjson', '.golden.json')));
  });

  test(`in ${name} every streamed item becomes the finished item with the same id`, () => {
    const streamed = new Map<string, string>();
    for (const one of replay(name)) {
      if (one.type === 'delta') streamed.set(one.itemId, (streamed.get(one.itemId) ?? '') + one.text);
      if (one.type === 'assistant.text' || one.type === 'assistant.thinking') expect(streamed.get(one.itemId ?? '')).toBe(one.text);
      if (one.type === 'tool.started') expect(JSON.parse(streamed.get(one.itemId ?? '') ?? '')).toEqual(one.input);
    }
    expect(streamed.size).toBeGreaterThan(0);
  });
}

test('none of its own lines is unrecognized', () => {
  expect(names.flatMap(replay).filter((one) => one.type === 'unrecognised')).toEqual([]);
});

const strange = [
  ['a line that is not JSON', 'Segmentation fault'],
  ['an incomplete line', '{"type":"text","item":"turn1:0"'],
  ['an unknown type', '{"type":"dance"}'],
  ['a known type without its fields', '{"type":"text"}'],
  ['a bare value', 'null'],
] as const;
for (const [name, line] of strange) {
  test(`${name} is kept as unrecognized, with its text`, () => {
    expect(demo.translate(demo.initial(), line).observations).toMatchObject([{ type: 'unrecognised', raw: line }]);
  });
}

test('unknown fields of a known line do no harm', () => {
  const line = '{"type":"reply","to":"i1","ok":true,"colour":"blue"}';
  expect(demo.translate(demo.initial(), line).observations).toEqual([{ type: 'reply', to: 'i1', ok: true }]);
});
