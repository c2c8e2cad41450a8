import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { corruptedText, invalidObservations, observationsIn, printed, readLines, withUnexpectedValues } from '../../../../test/support/archive/past-lines.ts';
import { archive } from './archive.ts';

const FOLDER = join(import.meta.dirname, '../recordings');
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const linesOf = (name: string) => readLines(archive, textOf(name));
const observationsOf = (name: string) => observationsIn(linesOf(name));

for (const name of names) {
  test(`reading the rollout ${name} returns the same result as before`, async () => {
    await expect(printed(linesOf(name))).toMatchFileSnapshot(join(FOLDER, name.replace('.jsonl', '.golden.json')));
  });
}

test('every observation from a rollout is known and has a valid shape, and nothing is unrecognized', () => {
  const observed = names.flatMap(observationsOf);
  expect(invalidObservations(observed)).toEqual([]);
  expect(observed.filter(({ type }) => type === 'unrecognised')).toEqual([]);
});

test('every call has one result, even if it was refused, cut off or unknown', () => {
  for (const name of names) {
    const observed = observationsOf(name);
    const calls = observed.flatMap((one) => (one.type === 'tool.started' ? [one.toolUseId] : []));
    const results = observed.flatMap((one) => (one.type === 'tool.completed' ? [one.toolUseId] : []));
    expect(results.toSorted()).toEqual(calls.toSorted());
  }
  const failed = observationsOf('0.166.0-approvals.jsonl').flatMap((one) => (one.type === 'tool.completed' && one.isError ? [one.output] : []));
  expect(failed).toEqual([expect.stringContaining('rejected by user'), expect.stringContaining('aborted by user'), expect.stringContaining('aborted by user')]);
});

test('no item is reported twice', () => {
  for (const name of names) {
    const items = observationsOf(name).flatMap((one) => ('itemId' in one ? [one.itemId] : []));
    expect(new Set(items).size).toBe(items.length);
  }
});

test('a patch of several files is reported file by file', () => {
  const changes = observationsOf('0.166.0-tools.jsonl').flatMap((one) => (one.type === 'tool.completed' && one.change ? [one.change] : []));
  expect(changes).toEqual([
    { kind: 'edit', path: '/home/dev/proj/c.txt', patch: '@@ -1 +1 @@\n-hi\n+HI\n' },
    { kind: 'create', path: '/home/dev/proj/d.txt', patch: '@@ -0,0 +1,1 @@\n+delta\n' },
  ]);
});

const THREAD = '01a1dcbe-fb6b-76c3-9c77-65c0f4729ff2';

test('a fork names the thread it continues, and the last line they share', () => {
  const [first] = linesOf('0.166.0-fork.jsonl');
  expect(first).toMatchObject({ node: { id: 'this:14', parent: 'this:13' }, continues: { agentSessionId: THREAD, upTo: `${THREAD}:13` } });
  expect(readLines(archive, textOf('0.166.0-resume-compact.jsonl'), THREAD)[13]?.node?.id).toBe(`${THREAD}:13`);
});

test('[R204] a line of an unknown thread has no position, because every other thread has the same line numbers', () => {
  expect(archive.read(textOf('0.166.0-fork.jsonl').split('\n')[1] ?? '', {})).not.toHaveProperty('node');
});

test('each answer is counted once, with its model; the context and its window are reported separately', () => {
  const spent = linesOf('0.166.0-resume-compact.jsonl').flatMap((line) => line.spent ?? []);
  const tokens = spent.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
  expect(tokens).toBe(542);
  expect(spent.filter((one) => one.messageId !== undefined).every((one) => one.model === 'fake-1')).toBe(true);
  expect(spent.at(-1)).toMatchObject({ contextTokens: 120, contextWindow: 258_400 });
});

test('the summary follows its compaction, without the text that is for the model', () => {
  const observed = observationsOf('0.166.0-resume-compact.jsonl');
  const at = observed.findIndex(({ type }) => type === 'context.compacted');
  expect(observed[at + 1]).toMatchObject({ type: 'user.message', origin: 'agent', text: '## Summary\nThe user asked for scripted work; the agent did it.' });
});

test('failed and interrupted turns say so', () => {
  const errors = observationsOf('0.166.0-errors.jsonl').flatMap((one) => (one.type === 'assistant.text' ? [one.error] : []));
  expect(errors).toEqual(['other', 'http_connection_failed', 'internal_server_error']);
  expect(observationsOf('0.166.0-approvals.jsonl').filter(({ type }) => type === 'notice.shown')).toHaveLength(2);
});

test('both ends of a rollout are enough for its facts', () => {
  const text = textOf('0.166.0-tools.jsonl');
  expect(archive.readFacts(text.slice(0, 20_000), text.slice(-2000))).toMatchObject({
    cwd: '/home/dev/proj',
    model: 'fake-1',
    lastAt: '2026-11-15T01:07:37.283Z',
  });
});

test("rollouts are recognized by their names, in Codex's folder", () => {
  const id = '01a1dcbd-6134-7a50-8ed5-290645355f6a';
  expect(archive.recordOf(`2026/11/15/rollout-2026-11-15T01-06-01-${id}.jsonl`)).toEqual({ kind: 'lines', agentSessionId: id });
  for (const other of ['2026/11/15/notes.jsonl', `2026/11/15/rollout-2026-11-15T01-06-01-${id}.jsonl.zst`, 'session_index.jsonl']) {
    expect(archive.recordOf(other)).toBeUndefined();
  }
  expect(archive.roots({ HOME: '/home/dev' })).toEqual(['/home/dev/.codex/sessions']);
  expect(archive.roots({ HOME: '/home/dev', CODEX_HOME: '/else' })).toEqual(['/else/sessions']);
});

/** As the files of 0.46 are described; none was ever seen. */
const OLD = [
  { timestamp: '2025-10-29T00:59:38.317Z', type: 'session_meta', payload: { id: 't1', cwd: '/p', cli_version: '0.46.0' } },
  { timestamp: '2025-10-29T00:59:38.318Z', type: 'event_msg', payload: { type: 'user_message', message: 'what is 2+2?', kind: 'plain' } },
  { timestamp: '2025-10-29T00:59:39.522Z', type: 'event_msg', payload: { type: 'agent_reasoning', text: 'Adding' } },
  {
    timestamp: '2025-10-29T00:59:39.530Z',
    type: 'response_item',
    payload: { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' },
  },
  {
    timestamp: '2025-10-29T00:59:39.540Z',
    type: 'response_item',
    payload: { type: 'function_call_output', call_id: 'c1', output: '{"output":"a\\n","metadata":{"exit_code":1}}' },
  },
  { timestamp: '2025-10-29T00:59:39.644Z', type: 'event_msg', payload: { type: 'agent_message', message: '4' } },
];

test('lines of old versions, which have no items and no numbers, are read as described', () => {
  const lines = readLines(archive, OLD.map((line) => JSON.stringify(line)).join('\n'));
  expect(lines.every((line) => line.node === undefined)).toBe(true);
  expect(observationsIn(lines)).toMatchObject([
    { type: 'user.message', text: 'what is 2+2?' },
    { type: 'assistant.thinking', text: 'Adding' },
    { type: 'tool.started', input: { command: ['ls'] } },
    { type: 'tool.completed', output: 'a\n', isError: true },
    { type: 'assistant.text', text: '4' },
  ]);
});

test('the same total after the same answer of an old version has the same id, so that it is counted once', () => {
  const count = (at: string) => {
    const counts = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2, total_tokens: 12 };
    return JSON.stringify({
      timestamp: at,
      type: 'event_msg',
      payload: { type: 'token_count', info: { total_token_usage: counts, last_token_usage: counts } },
    });
  };
  const [one, again] = ['2025-10-29T00:59:39.700Z', '2025-10-29T00:59:40.000Z'].map((at) => archive.read(count(at), {}).spent);
  expect(one?.usage).toEqual({ inputTokens: 6, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 0 });
  expect(again?.messageId).toBe(one?.messageId);
});

test('a damaged rollout never throws, and its observations stay valid', () => {
  for (const name of names) {
    for (let seed = 1; seed <= 30; seed += 1) {
      const text = corruptedText(textOf(name), seed);
      expect(invalidObservations(observationsIn(readLines(archive, text))), `seed ${seed} of ${name}`).toEqual([]);
      archive.readFacts(text.slice(seed * 50, seed * 50 + 3000), text.slice(-2000));
    }
  }
});

test('a rollout line with any value of another type never throws, and its observations stay valid', () => {
  const lines = ['0.166.0-tools.jsonl', '0.166.0-fork.jsonl', '0.166.0-errors.jsonl'].flatMap((name) => textOf(name).trim().split('\n'));
  for (const line of new Set(lines)) {
    for (const strange of withUnexpectedValues(line)) expect(invalidObservations(archive.read(strange, {}).observations), strange.slice(0, 200)).toEqual([]);
  }
});
