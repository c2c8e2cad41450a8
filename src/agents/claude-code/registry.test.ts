import { expect, test } from 'vitest';
import { registry } from './registry.ts';

const SEEN = {
  pid: 14485,
  sessionId: '7b3350d9-02a7-4cd8-b049-3101bd92fa9c',
  cwd: '/home/dev/proj',
  startedAt: 1794705385411,
  procStart: '172320',
  version: '2.1.197',
  peerProtocol: 1,
  kind: 'interactive',
  entrypoint: 'sdk-cli',
};

test('a process reports which conversation it has open, since when, and what it is', () => {
  expect(registry.read('14485.json', JSON.stringify(SEEN))).toEqual({
    pid: 14485,
    agentSessionId: SEEN.sessionId,
    start: '172320',
    since: '2026-11-15T01:16:25.411Z',
    what: 'Claude Code 2.1.197 (sdk-cli)',
  });
});

test('the registry is in the home folder, or where CLAUDE_CONFIG_DIR says', () => {
  expect(registry.folder({ HOME: '/home/dev' })).toBe('/home/dev/.claude/sessions');
  expect(registry.folder({ HOME: '/home/dev', CLAUDE_CONFIG_DIR: '/c' })).toBe('/c/sessions');
});

const strange: readonly (readonly [string, string, string])[] = [
  ['a key file next to it', '14485.53d7.key', '{"peerToken":"x","procStart":"1"}'],
  ['a file that names another process', '14486.json', JSON.stringify(SEEN)],
  ['a file without a start time', '14485.json', JSON.stringify({ ...SEEN, procStart: undefined })],
  ['an invalid pid', '14485.json', JSON.stringify({ ...SEEN, pid: 0 })],
  ['something else', '14485.json', '[]'],
];
for (const [title, name, text] of strange) test(`${title} is ignored`, () => expect(registry.read(name, text)).toBeUndefined());

test('an invalid time is left out', () => {
  expect(registry.read('14485.json', JSON.stringify({ ...SEEN, startedAt: 1e300 }))).not.toHaveProperty('since');
});

test('an incomplete or empty file is distinguished from one that names no process', () => {
  const half = JSON.stringify(SEEN).slice(0, 40);
  expect(['', half, '[]'].map((text) => registry.read('14485.json', text))).toEqual(['torn', 'torn', undefined]);
});

test('a file belongs to the process in its name, and other files belong to none', () => {
  expect(['14485.json', '14485.53d7.key', '0.json', 'x.json'].map(registry.pidOf)).toEqual([14485, undefined, undefined, undefined]);
});
