import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf, memory } from './session-file.ts';

const folders = [
  ['/home/dev/enc/a.b_c d', '-home-dev-enc-a-b-c-d'],
  ['/UPPER-ünï@x+y', '-UPPER--n--x-y'],
  ['/.hidden', '--hidden'],
] as const;
for (const [cwd, folder] of folders) test(`the sessions of ${cwd} are in ${folder}`, () => expect(folderOf(cwd)).toBe(folder));

test('the file is in the home folder, or where CLAUDE_CONFIG_DIR says', () => {
  const where = { cwd: '/home/dev/proj', agentSessionId: 'U' };
  expect(memory.file({ ...where, env: { HOME: '/home/dev' } })).toBe('/home/dev/.claude/projects/-home-dev-proj/U.jsonl');
  expect(memory.file({ ...where, env: { HOME: '/home/dev', CLAUDE_CONFIG_DIR: '/c' } })).toBe('/c/projects/-home-dev-proj/U.jsonl');
});

const FIRST = '11111111-1111-4111-8111-111111111111';
const SECOND = '22222222-1111-4111-8111-222222222222';
const recalled = [
  ['an answered turn with a tool', 'tool-write', 'da33bb9a-', 'answered'],
  ['a turn killed before the first word', 'kill9-1-before-first-token', FIRST, 'taken'],
  ['a turn killed while it waited for a permission', 'kill9-4-perm-pending', FIRST, 'taken'],
  ['a killed turn followed by one that was answered', 'kill9-1-resume', FIRST, 'taken'],
  ['the turn after a killed one', 'kill9-1-resume', SECOND, 'answered'],
  ['an input that joined a running turn', 'folded-resend-after-resume', SECOND, 'answered'],
  ['an interrupted turn', 'interrupt-text', 'ba4279b6-', 'taken'],
  ['a turn that ended with an API error', 'err-400', 'ebd8f1be-', 'answered'],
  ['a slash command', 'compact-manual', '2f5b4cc9-', 'answered'],
  ['an input that never arrived', 'tool-write', SECOND, 'absent'],
] as const;
for (const [title, scenario, id, expected] of recalled) {
  test(`${title} is ${expected}`, () => {
    const record = readFileSync(join(import.meta.dirname, '../recordings/vault', `2.1.197-${scenario}.jsonl`), 'utf8');
    expect(memory.recall(record, wholeId(record, id))).toBe(expected);
  });
}

const wholeId = (record: string, start: string): string => new RegExp(`"uuid":"(${start}[0-9a-f-]*)"`).exec(record)?.[1] ?? start;

test('a line cut by a kill is skipped', () => {
  const record = readFileSync(join(import.meta.dirname, '../recordings/vault/2.1.197-tool-write.jsonl'), 'utf8');
  const id = wholeId(record, 'da33bb9a-');
  const upToInput = record.slice(0, record.indexOf(id) + 400);
  expect(memory.recall(upToInput, id)).toBe('taken');
  expect(memory.recall(upToInput.slice(0, upToInput.indexOf(id) + 40), id)).toBe('absent');
});
