import { expect, test } from 'vitest';
import { folderOf } from './record-folders.ts';
import { memory } from './session-file.ts';

const line = (entry: object): string => `${JSON.stringify(entry)}\n`;
const user = (input: string) => line({ type: 'message', message: { role: 'user', content: 'hello', signalbox: { input } } });
const answer = (stopReason: string) => line({ type: 'message', message: { role: 'assistant', content: [], stopReason } });

const cases = [
  ['nothing was written', '', 'absent'],
  ['only another input is there', user('other') + answer('stop'), 'absent'],
  ['it is there without an answer', user('mine'), 'taken'],
  ['the model only called a tool', user('mine') + answer('toolUse'), 'taken'],
  ['the next message came before an answer', user('mine') + answer('toolUse') + user('other') + answer('stop'), 'taken'],
  ['it was answered', user('mine') + answer('toolUse') + answer('stop'), 'answered'],
  ['the answer was cut by a kill', `${user('mine')}{"type":"message","mess`, 'taken'],
] as const;
for (const [name, text, expected] of cases) {
  test(`when ${name}, the input is ${expected}`, () => expect(memory.recall(text, 'mine')).toBe(expected));
}

test('the file is found by the end of its name, in the folder that Pi uses for the working folder', () => {
  const where = { cwd: '/home/dev/proj.a', agentSessionId: 'id' };
  expect(memory.file({ ...where, env: { HOME: '/home/dev' } })).toBe('/home/dev/.pi/agent/sessions/--home-dev-proj.a--/*_id.jsonl');
  expect(memory.file({ ...where, env: { PI_CODING_AGENT_DIR: '/else' } })).toBe('/else/sessions/--home-dev-proj.a--/*_id.jsonl');
  expect(folderOf('/a:b/c')).toBe('--a-b-c--');
});
