import { expect, test } from 'vitest';
import { corruptedText, invalidObservations } from '../../../test/support/archive/past-lines.ts';
import type { PastLine } from '../port/archive.ts';
import { factsOf } from '../port/record-facts.ts';
import { archive } from './archive.ts';

const AT = '2026-04-01T10:00:00.000Z';

/** A session file as others describe it: no ids, and every kind of line. */
const FILE = [
  { type: 'session', version: 3, id: 's1', cwd: '/home/dev/proj', agentName: 'reviewer', timestamp: AT },
  { type: 'model_change', model: 'sonnet' },
  { type: 'message', message: { role: 'user', content: 'Look around' }, timestamp: AT },
  {
    type: 'message',
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'First the files.' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', toolCallId: 'c1', toolName: 'read', input: { path: 'a.txt' } },
      ],
      usage: { input: 100, output: 20 },
    },
    timestamp: AT,
  },
  { type: 'tool_call', toolCallId: 'c2', toolName: 'exec', input: { command: 'ls' }, result: 'a.txt', timestamp: AT },
  { type: 'skill_call', skillName: 'deploy', input: { env: 'test' }, timestamp: AT },
  { type: 'compact_boundary', preTokens: 150_000, timestamp: AT },
  { type: 'compaction', summary: 'It went well.', timestamp: AT },
  { type: 'error', message: 'context window exceeded', timestamp: AT },
  { type: 'message', message: { role: 'assistant', content: 'Done.', usage: { input: 200, output: 30 } }, timestamp: AT },
].map((line) => JSON.stringify(line));

function reading(lines: readonly string[]): readonly PastLine[] {
  const read: PastLine[] = [];
  let place = 0;
  for (const line of lines) {
    read.push(archive.read(line, { facts: factsOf(read) }, place));
    place += line.length + 1;
  }
  return read;
}
const lines = reading(FILE);
const observed = lines.flatMap(({ observations }) => observations);

test('[R401] every kind of line in an old session file is read, and none collapses into another', () => {
  expect(observed.map(({ type }) => type)).toEqual([
    'notice.shown',
    'user.message',
    'assistant.thinking',
    'assistant.text',
    'tool.started',
    'tool.started',
    'tool.completed',
    'tool.started',
    'context.compacted',
    'context.compacted',
    'user.message',
    'assistant.text',
    'assistant.text',
  ]);
  const items = observed.flatMap((one) => one.itemId ?? []);
  expect(new Set(items).size).toBe(items.length);
  expect(invalidObservations(observed)).toEqual([]);
});

test('calls have their names, arguments and results; skills are calls too', () => {
  expect(observed.filter(({ type }) => type.startsWith('tool.'))).toMatchObject([
    { toolUseId: 'c1', name: 'read', input: { path: 'a.txt' } },
    { toolUseId: 'c2', name: 'exec', input: { command: 'ls' }, agentAt: AT },
    { toolUseId: 'c2', output: 'a.txt', isError: false },
    { name: 'skill:deploy', input: { env: 'test' } },
  ]);
});

test('the model, the agent, times, tokens, compactions and errors are kept', () => {
  expect(factsOf(lines)).toMatchObject({ cwd: '/home/dev/proj', model: 'sonnet', title: 'Look around', lastAt: AT });
  expect(observed[0]).toMatchObject({ text: 'Agent: reviewer' });
  expect(observed.every((one) => one.agentAt === AT)).toBe(true);
  expect(lines.flatMap(({ spent }) => spent ?? [])).toMatchObject([
    { usage: { inputTokens: 100, outputTokens: 20 }, contextTokens: 120, at: AT },
    { usage: { inputTokens: 200, outputTokens: 30 }, contextTokens: 230 },
  ]);
  expect(observed.filter(({ type }) => type === 'context.compacted')).toMatchObject([{ preTokens: 150_000 }, {}]);
  expect(observed.find((one) => one.type === 'assistant.text' && one.error !== undefined)).toMatchObject({ text: 'context window exceeded' });
});

test('damaged lines never throw, and every observation from them has a valid shape', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const damaged = corruptedText(FILE.join('\n'), seed).split('\n');
    expect(invalidObservations(reading(damaged).flatMap(({ observations }) => observations))).toEqual([]);
  }
});
