import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const rules = [...readFileSync(join(ROOT, 'docs/protocol.md'), 'utf8').matchAll(/^- \*\*(R\d+)\*\* /gm)].flatMap((match) => match[1] ?? []);
const cited = new Set(sources().flatMap((text) => [...text.matchAll(/['`"]\[(R\d+)\] /g)].flatMap((match) => match[1] ?? [])));

test('every numbered rule of docs/protocol.md is cited by a test', () => {
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((rule) => !cited.has(rule))).toEqual([]);
});

test('every rule that a test cites is in docs/protocol.md, once', () => {
  expect([...cited].filter((rule) => !rules.includes(rule))).toEqual([]);
  expect(new Set(rules).size).toBe(rules.length);
});

function sources(): readonly string[] {
  return ['src', 'web', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.test\.tsx?$|contract\.ts$/.test(name) && !name.endsWith('unit/rules.test.ts'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
}
