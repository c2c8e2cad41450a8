import { expect, test } from 'vitest';
import { readRecords } from '../../../../test/support/agents/claude-records.ts';
import { archive } from './archive.ts';
import { past } from './history.ts';
import { atOnce } from './whole-conversation.ts';

const SESSION = 'dcf9bc0f-dd9b-4fa6-a6a4-fbbc8bd14dd2';
const kinds = [
  ['a conversation', `-home-dev-proj/${SESSION}.jsonl`, { kind: 'lines', agentSessionId: SESSION }],
  [
    'what a subagent did in it',
    `-home-dev-proj/${SESSION}/subagents/agent-a3a6.jsonl`,
    { kind: 'lines', agentSessionId: SESSION, part: 'agent-a3a6', companion: `-home-dev-proj/${SESSION}/subagents/agent-a3a6.meta.json` },
  ],
  ['what tells of a subagent', `-home-dev-proj/${SESSION}/subagents/agent-a3a6.meta.json`, undefined],
  ['a file beside the folders', `${SESSION}.jsonl`, undefined],
  ['a file with another name', '-home-dev-proj/notes.jsonl', undefined],
  ['a subagent of an older layout, which does not say whose it is', '-home-dev-proj/agent-a3a6.jsonl', undefined],
  ['a file deeper down', `-home-dev-proj/a/${SESSION}.jsonl`, undefined],
  ['a copy', `-home-dev-proj/${SESSION}.jsonl.bak`, undefined],
  ["the agent's notes", '-home-dev-proj/memory/MEMORY.md', undefined],
] as const;
for (const [title, path, kind] of kinds)
  test(`by its path, ${title} is ${kind === undefined ? 'no record' : 'a record'}`, () => expect(archive.recordOf(path)).toEqual(kind));

test('records lie where the CLI was told to keep them, or in the home folder', () => {
  expect(archive.roots({ HOME: '/home/dev' })).toEqual(['/home/dev/.claude/projects']);
  expect(archive.roots({ HOME: '/home/dev', CLAUDE_CONFIG_DIR: '/etc/claude' })).toEqual(['/etc/claude/projects']);
});

const AT = '2026-11-15T01:00:00.000Z';
/** In the order of the CLI, which writes its own fields behind the message. */
const made = (more: object) => JSON.stringify({ ...more, uuid: 'b', parentUuid: 'a', isSidechain: false, timestamp: AT, cwd: '/p', ...more });
const user = (content: unknown, more: object = {}) => made({ type: 'user', message: { role: 'user', content }, ...more });
const result = { type: 'tool_result', tool_use_id: 't', content: 'done' };
const nodes = [
  ['a line hangs on its parent', user('hello'), { id: 'b', parent: 'a' }],
  ['the first line has none', user('hello', { parentUuid: null }), { id: 'b', parent: null }],
  ['a root after a compaction hangs on what came before', user('hello', { parentUuid: null, logicalParentUuid: 'z' }), { id: 'b', parent: 'z' }],
  ['an attachment that tells nothing is on the way', made({ type: 'attachment', attachment: { type: 'date' } }), { id: 'b', parent: 'a' }],
  ['a result joins those beside it', user([result]), { id: 'b', parent: 'a', joins: true }],
  ['a result with words beside it is a message', user([result, { type: 'text', text: 'and' }]), { id: 'b', parent: 'a' }],
  ['progress of a call joins', made({ type: 'progress', data: {} }), { id: 'b', parent: 'a', joins: true }],
  [
    'what a hook of a call said joins',
    made({ type: 'attachment', attachment: { type: 'hook_success', hookEvent: 'PreToolUse', toolUseID: 't' } }),
    { id: 'b', parent: 'a', joins: true },
  ],
  [
    'a compaction joins what it compacts',
    made({ type: 'system', subtype: 'compact_boundary', parentUuid: null, logicalParentUuid: 'z' }),
    { id: 'b', parent: 'z', joins: true },
  ],
  ['a retry joins what was asked', made({ type: 'system', subtype: 'api_error', retryAttempt: 1 }), { id: 'b', parent: 'a', joins: true }],
  ['what goes before a command of the terminal joins', user('<local-command-caveat>Caveat: …', { isMeta: true }), { id: 'b', parent: 'a', joins: true }],
  ['what the CLI says to itself after a crash may leave a branch', user('Continue from where you left off.', { isMeta: true }), { id: 'b', parent: 'a' }],
  ['an answer follows', made({ type: 'assistant', message: { id: 'm', content: [] } }), { id: 'b', parent: 'a' }],
  ['a line of a subagent opens no branch', user('hello', { parentUuid: null, isSidechain: true }), undefined],
  ['a line beside the conversation has no place', '{"type":"last-prompt","leafUuid":"b"}', undefined],
] as const;
for (const [title, line, node] of nodes) test(`in the tree, ${title}`, () => expect(archive.read(line, {}).node).toEqual(node));

test('what a subagent said hangs below the call that its companion names, and is shown without one', () => {
  const line = user('look around', { isSidechain: true });
  const [inside] = archive.read(line, { companion: '{"toolUseId":"call"}' }).observations;
  expect(inside).toMatchObject({ type: 'user.message', origin: 'agent', parentToolUseId: 'call', parentItemId: 'call' });
  const [stray] = archive.read(line, {}).observations;
  expect(stray).toMatchObject({ type: 'user.message', origin: 'agent', text: 'look around' });
  expect(stray).not.toHaveProperty('parentToolUseId');
});

const answer = (more: object) => made({ type: 'assistant', message: { id: 'm', model: 'claude-opus-4-8', content: [{ type: 'text', text: 'yes' }], ...more } });
const facts = [
  ['a prompt: the folder, the time, and words for a title', user('Fix it'), { cwd: '/p', title: 'Fix it', lastAt: AT }],
  ['an answer: the model', answer({}), { cwd: '/p', model: 'claude-opus-4-8', lastAt: AT }],
  ["the CLI's own words: no model", answer({ model: '<synthetic>' }), { cwd: '/p', lastAt: AT }],
  ['a title that a person gave', '{"type":"custom-title","customTitle":"Trains"}', { title: 'Trains', named: true }],
  ['a subagent: only when', user('look', { isSidechain: true }), { lastAt: AT }],
  ['a summary: no title', user('This session is being continued', { isCompactSummary: true }), { cwd: '/p', lastAt: AT }],
  ['the last prompt told again: nothing', '{"type":"last-prompt","lastPrompt":"Fix it"}', undefined],
] as const;
for (const [title, line, expected] of facts) test(`what a line tells of the whole: ${title}`, () => expect(archive.read(line, {}).facts).toEqual(expected));

const usage = { input_tokens: 10, output_tokens: 7, cache_read_input_tokens: 100, cache_creation_input_tokens: 1000 };
const counted = { inputTokens: 10, outputTokens: 7, cacheReadTokens: 100, cacheWriteTokens: 1000 };
test('an answer tells what it cost, and how full the context is with it', () => {
  expect(archive.read(answer({ usage }), {}).spent).toEqual({ messageId: 'm', model: 'claude-opus-4-8', usage: counted, contextTokens: 1117, at: AT });
});

test('an answer of a subagent costs too, and fills no context of ours; words of the CLI itself cost nothing', () => {
  const inside = JSON.stringify({ ...JSON.parse(answer({ usage })), isSidechain: true });
  expect(archive.read(inside, {}).spent).toEqual({ messageId: 'm', model: 'claude-opus-4-8', usage: counted, at: AT });
  expect(archive.read(answer({ usage, model: '<synthetic>' }), {}).spent).toBeUndefined();
});

test('a command is shown as it was typed, wherever its message stands', () => {
  const [told] = archive.read(user('<command-message>init is running…</command-message>\n<command-name>/init</command-name>'), {}).observations;
  expect(told).toMatchObject({ type: 'user.message', text: '/init' });
});

const systems = [
  [
    'a retry',
    { subtype: 'api_error', retryAttempt: 2, maxRetries: 10, retryInMs: 1567.5, error: { message: 'Overloaded', status: 529 } },
    [{ type: 'retry.reported', attempt: 2, maxAttempts: 10, delayMs: 1567.5, error: 'Overloaded (529)' }],
  ],
  ['a retry for no reason', { subtype: 'api_error', retryAttempt: 1, error: {} }, [{ type: 'retry.reported', attempt: 1, error: 'the API failed' }]],
  ['a note', { subtype: 'informational', content: 'Switched', level: 'warning' }, [{ type: 'notice.shown', level: 'warning', text: 'Switched' }]],
  ['how long a turn took: nothing', { subtype: 'turn_duration', durationMs: 7 }, []],
  ['a subtype of tomorrow', { subtype: 'novelty' }, [{ type: 'unrecognised' }]],
] as const;
for (const [title, more, told] of systems) {
  test(`a line of the CLI itself: ${title}`, () => expect(archive.read(made({ type: 'system', ...more }), {}).observations).toMatchObject(told));
}

const PIECE = 64 * 1024;
const ends = (text: string) => [text.slice(0, PIECE), text.length > PIECE ? text.slice(-PIECE) : ''] as const;

test('a glance at a record tells what the whole tells, wherever its pieces are cut', () => {
  for (const record of readRecords().filter(({ kind }) => kind.part === undefined)) {
    const text = `${record.lines.join('\n')}\n`;
    const whole = atOnce(past.reading(text));
    const prompt = text.indexOf('"type":"user"') < 0 ? text.length : text.indexOf('\n', text.indexOf('"type":"user"'));
    for (let cut = prompt + 1; cut < text.length; cut += 641) {
      const { title, cwd, lastAt } = archive.glance(text.slice(0, cut), text.slice(cut));
      expect({ title, cwd }, record.path).toEqual({ title: whole.title, cwd: whole.cwd });
      expect(lastAt === undefined || lastAt <= (whole.lastAt ?? ''), record.path).toBe(true);
    }
  }
});

test('a first prompt longer than the piece gives the title by its first words', () => {
  const long = `Read \\"this\\": é\\u00e9 ${'many words '.repeat(20_000)}`;
  const line = `{"parentUuid":null,"isSidechain":false,"promptId":"p","type":"user","message":{"role":"user","content":"${long}"},"uuid":"a","timestamp":"${AT}","cwd":"/p"}`;
  const text = `{"type":"queue-operation","timestamp":"2026-11-15T00:59:00.000Z"}\n${line}\n${user('Later', { timestamp: '2026-11-15T02:00:00.000Z' })}\n`;
  const { title, cwd, lastAt } = archive.glance(...ends(text));
  expect(title).toBe(`Read "this": éé ${'many words '.repeat(20_000)}`.slice(0, 200));
  expect({ cwd, lastAt }).toEqual({ cwd: '/p', lastAt: '2026-11-15T02:00:00.000Z' });
});

test('a last line longer than the piece tells its time all the same', () => {
  const text = `${user('First')}\n${user([{ ...result, content: 'x'.repeat(3 * PIECE) }], { timestamp: '2026-11-15T03:00:00.000Z' })}\n`;
  expect(archive.glance(...ends(text))).toEqual({ cwd: '/p', title: 'First', lastAt: '2026-11-15T03:00:00.000Z' });
});

test('the end of a line without a time does not pass for the time of the beginning', () => {
  const text = `${user('First')}\n{"type":"api-request-blob","message":"${'x'.repeat(3 * PIECE)}"}\n`;
  expect(archive.glance(...ends(text))).toEqual({ cwd: '/p', title: 'First' });
});
