import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readAgentFile } from './read-agent-file.ts';

test('an agent file whose name starts with a time is found by the end of its name', async () => {
  const folder = temporaryFolder('agent-file');
  writeFileSync(join(folder, '2026-11-15T01-02-13Z_one.jsonl'), 'first');
  writeFileSync(join(folder, '2026-11-15T01-02-14Z_two.jsonl'), 'second');
  expect(await readAgentFile(join(folder, '*_two.jsonl'))).toBe('second');
  expect(await readAgentFile(join(folder, '2026-11-15T01-02-13Z_one.jsonl'))).toBe('first');
  expect(await readAgentFile(join(folder, '*_three.jsonl'))).toBeUndefined();
  expect(await readAgentFile(join(folder, 'nowhere', '*_one.jsonl'))).toBeUndefined();
});

test('an agent file is found in any of the folders by day', async () => {
  const folder = temporaryFolder('agent-file');
  for (const day of ['2026/11/14', '2026/11/15']) mkdirSync(join(folder, day), { recursive: true });
  writeFileSync(join(folder, '2026/11/14', 'rollout-one.jsonl'), 'first');
  writeFileSync(join(folder, '2026/11/15', 'rollout-two.jsonl'), 'second');
  writeFileSync(join(folder, 'stray'), '');
  expect(await readAgentFile(join(folder, '*', '*', '*', '*-one.jsonl'))).toBe('first');
  expect(await readAgentFile(join(folder, '*', '*', '*', '*-two.jsonl'))).toBe('second');
  expect(await readAgentFile(join(folder, '*', '*', '*', '*-three.jsonl'))).toBeUndefined();
});
