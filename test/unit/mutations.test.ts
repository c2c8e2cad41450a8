import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';

const ROOT = resolve(import.meta.dirname, '../..');
const LISTS = join(ROOT, 'test/mutations');
const Mutation = z.strictObject({
  why: z.string(),
  file: z.string(),
  find: z.string(),
  replace: z.string(),
  tests: z.union([z.string(), z.array(z.string())]),
});
const mutations = readdirSync(LISTS).flatMap((list) => z.array(Mutation).parse(JSON.parse(readFileSync(join(LISTS, list), 'utf8'))));

test('domain, host and journal have enough seeded mutations, and each still matches exactly one place', () => {
  const lost = mutations.filter(({ file, find }) => readFileSync(join(ROOT, file), 'utf8').split(find).length !== 2);
  expect(lost.map(({ file, find }) => `${file}: ${find}`)).toEqual([]);
  for (const folder of ['domain', 'host', 'journal'])
    expect(mutations.filter(({ file }) => file.startsWith(`src/${folder}/`)).length).toBeGreaterThanOrEqual(10);
});
