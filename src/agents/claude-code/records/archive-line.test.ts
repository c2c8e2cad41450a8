import { expect, test } from 'vitest';
import { readRecords } from '../../../../test/support/agents/claude-records.ts';
import { archive } from './archive.ts';
import { runToEnd } from './observe-conversation.ts';
import { past } from './past.ts';

const SESSION = 'dcf9bc0f-dd9b-4fa6-a6a4-fbbc8bd14dd2';
const kinds = [
  ['a conversation', `-home-dev-proj/${SESSION}.jsonl`, { kind: 'lines', agentSessionId: SESSION }],
  [
    'a subagent of it',
    `-home-dev-proj/${SESSION}/subagents/agent-a3a6.jsonl`,
    { kind: 'lines', agentSessionId: SESSION, part: 'agent-a3a6', companion: `-home-dev-proj/${SESSION}/subagents/agent-a3a6.meta.json` },
  ],
  ['the companion file of a subagent', `-home-dev-proj/${SESSION}/subagents/agent-a3a6.meta.json`, undefined],
  ['a file next to the folders', `${SESSION}.jsonl`, undefined],
  ['a file with another name', '-home-dev-proj/notes.jsonl', undefined],
  ['a subagent in an older layout, which does not name its conversation', '-home-dev-proj/agent-a3a6.jsonl', undefined],
  ['a file deeper down', `-home-dev-proj/a/${SESSION}.jsonl`, undefined],
  ['a copy', `-home-dev-proj/${SESSION}.jsonl.bak`, undefined],
  ["the agent's notes", '-home-dev-proj/memory/MEMORY.md', undefined],
] as const;
for (const [title, path, kind] of kinds)
  test(`by its path, ${title} is ${kind === undefined ? 'no record' : 'a record'}`, () => expect(archive.recordOf(path)).toEqual(kind));

test('records are in the folder that the CLI is configured with, or in the home folder', () => {
  expect(archive.roots({ HOME: '/home/dev' })).toEqual(['/home/dev/.claude/projects']);
  expect(archive.roots({ HOME: '/home/dev', CLAUDE_CONFIG_DIR: '/etc/claude' })).toEqual(['/etc/claude/projects']);
});

const AT = '2026-11-15T01:00:00.000Z';
/** In the CLI's field order: its own fields come after the message. */
const made = (more: object) => JSON.stringify({ ...more, uuid: 'b', parentUuid: 'a', isSidechain: false, timestamp: AT, cwd: '/p', ...more });
const user = (content: unknown, more: object = {}) => made({ type: 'user', message: { role: 'user', content }, ...more });
const result = { type: 'tool_result', tool_use_id: 't', content: 'done' };
const nodes = [
  ['a line is a child of its parent', user('hello'), { id: 'b', parent: 'a' }],
  ['the first line has none', user('hello', { parentUuid: null }), { id: 'b', parent: null }],
  ['a root after a compaction is a child of what came before', user('hello', { parentUuid: null, logicalParentUuid: 'z' }), { id: 'b', parent: 'z' }],
  ['an attachment without observations is part of the branch', made({ type: 'attachment', attachment: { type: 'date' } }), { id: 'b', parent: 'a' }],
  ['a result joins its siblings', user([result]), { id: 'b', parent: 'a', joins: true }],
  ['a result with text is a message', user([result, { type: 'text', text: 'and' }]), { id: 'b', parent: 'a' }],
  ['progress of a call joins', made({ type: 'progress', data: {} }), { id: 'b', parent: 'a', joins: true }],
  [
    'the output of a tool hook joins',
    made({ type: 'attachment', attachment: { type: 'hook_success', hookEvent: 'PreToolUse', toolUseID: 't' } }),
    { id: 'b', parent: 'a', joins: true },
  ],
  [
    'a compaction joins what it compacts',
    made({ type: 'system', subtype: 'compact_boundary', parentUuid: null, logicalParentUuid: 'z' }),
    { id: 'b', parent: 'z', joins: true },
  ],
  ['a retry joins its request', made({ type: 'system', subtype: 'api_error', retryAttempt: 1 }), { id: 'b', parent: 'a', joins: true }],
  ['the note before a terminal command joins', user('<local-command-caveat>Caveat: …', { isMeta: true }), { id: 'b', parent: 'a', joins: true }],
  ["the CLI's own message after a crash can start a branch", user('Continue from where you left off.', { isMeta: true }), { id: 'b', parent: 'a' }],
  ['an answer follows', made({ type: 'assistant', message: { id: 'm', content: [] } }), { id: 'b', parent: 'a' }],
  ["a subagent's line opens no branch", user('hello', { parentUuid: null, isSidechain: true }), undefined],
  ['a line outside the conversation has no position', '{"type":"last-prompt","leafUuid":"b"}', undefined],
] as const;
for (const [title, line, node] of nodes) test(`in the tree, ${title}`, () => expect(archive.read(line, {}).node).toEqual(node));

test("a subagent's messages are children of the call that its companion file names, and are shown without one too", () => {
  const line = user('look around', { isSidechain: true });
  const [inside] = archive.read(line, { companion: '{"toolUseId":"call"}' }).observations;
  expect(inside).toMatchObject({ type: 'user.message', origin: 'agent', parentToolUseId: 'call', parentItemId: 'call' });
  const [stray] = archive.read(line, {}).observations;
  expect(stray).toMatchObject({ type: 'user.message', origin: 'agent', text: 'look around' });
  expect(stray).not.toHaveProperty('parentToolUseId');
});

const answer = (more: object) => made({ type: 'assistant', message: { id: 'm', model: 'claude-opus-4-8', content: [{ type: 'text', text: 'yes' }], ...more } });
const facts = [
  ['a prompt: the folder, the time, and a title from its words', user('Fix it'), { cwd: '/p', title: 'Fix it', lastAt: AT }],
  ['an answer: the model', answer({}), { cwd: '/p', model: 'claude-opus-4-8', lastAt: AT }],
  ["the CLI's own words: no model", answer({ model: '<synthetic>' }), { cwd: '/p', lastAt: AT }],
  ['a title that a person chose', '{"type":"custom-title","customTitle":"Trains"}', { title: 'Trains', named: true }],
  ['a subagent: only the time', user('look', { isSidechain: true }), { lastAt: AT }],
  ['a summary: no title', user('This session is being continued', { isCompactSummary: true }), { cwd: '/p', lastAt: AT }],
  ['the last prompt repeated: nothing', '{"type":"last-prompt","lastPrompt":"Fix it"}', undefined],
] as const;
for (const [title, line, expected] of facts)
  test(`facts about the conversation in a line: ${title}`, () => expect(archive.read(line, {}).facts).toEqual(expected));

const usage = { input_tokens: 10, output_tokens: 7, cache_read_input_tokens: 100, cache_creation_input_tokens: 1000 };
const counted = { inputTokens: 10, outputTokens: 7, cacheReadTokens: 100, cacheWriteTokens: 1000 };
test('an answer reports its cost and the size of the context', () => {
  expect(archive.read(answer({ usage }), {}).spent).toEqual({ messageId: 'm', model: 'claude-opus-4-8', usage: counted, contextTokens: 1117, at: AT });
});

test("a subagent's answer costs too, but does not fill our context; text from the CLI itself costs nothing", () => {
  const inside = JSON.stringify({ ...JSON.parse(answer({ usage })), isSidechain: true });
  expect(archive.read(inside, {}).spent).toEqual({ messageId: 'm', model: 'claude-opus-4-8', usage: counted, at: AT });
  expect(archive.read(answer({ usage, model: '<synthetic>' }), {}).spent).toBeUndefined();
});

test('a command is shown as typed, wherever its message is', () => {
  const [observed] = archive.read(user('<command-message>init is running…</command-message>\n<command-name>/init</command-name>'), {}).observations;
  expect(observed).toMatchObject({ type: 'user.message', text: '/init' });
});

const systems = [
  [
    'a retry',
    { subtype: 'api_error', retryAttempt: 2, maxRetries: 10, retryInMs: 1567.5, error: { message: 'Overloaded', status: 529 } },
    [{ type: 'retry.reported', attempt: 2, maxAttempts: 10, delayMs: 1567.5, error: 'Overloaded (529)' }],
  ],
  ['a retry without a reason', { subtype: 'api_error', retryAttempt: 1, error: {} }, [{ type: 'retry.reported', attempt: 1, error: 'the API failed' }]],
  ['a note', { subtype: 'informational', content: 'Switched', level: 'warning' }, [{ type: 'notice.shown', level: 'warning', text: 'Switched' }]],
  ['the duration of a turn: nothing', { subtype: 'turn_duration', durationMs: 7 }, []],
  ['an unknown subtype', { subtype: 'novelty' }, [{ type: 'unrecognised' }]],
] as const;
for (const [title, more, observed] of systems) {
  test(`a line of the CLI itself: ${title}`, () => expect(archive.read(made({ type: 'system', ...more }), {}).observations).toMatchObject(observed));
}

const PIECE = 64 * 1024;
const ends = (text: string) => [text.slice(0, PIECE), text.length > PIECE ? text.slice(-PIECE) : ''] as const;

test('both ends of a record yield the same facts as all of it, wherever they are cut', () => {
  for (const record of readRecords().filter(({ kind }) => kind.part === undefined)) {
    const text = `${record.lines.join('\n')}\n`;
    const whole = runToEnd(past.reading(text));
    const prompt = text.indexOf('"type":"user"') < 0 ? text.length : text.indexOf('\n', text.indexOf('"type":"user"'));
    for (let cut = prompt + 1; cut < text.length; cut += 641) {
      const { title, cwd, lastAt } = archive.readFacts(text.slice(0, cut), text.slice(cut));
      expect({ title, cwd }, record.path).toEqual({ title: whole.title, cwd: whole.cwd });
      expect(lastAt === undefined || lastAt <= (whole.lastAt ?? ''), record.path).toBe(true);
    }
  }
});

test('a first prompt longer than the part that is read still provides the title', () => {
  const long = `Read \\"this\\": é\\u00e9 ${'many words '.repeat(20_000)}`;
  const line = `{"parentUuid":null,"isSidechain":false,"promptId":"p","type":"user","message":{"role":"user","content":"${long}"},"uuid":"a","timestamp":"${AT}","cwd":"/p"}`;
  const text = `{"type":"queue-operation","timestamp":"2026-11-15T00:59:00.000Z"}\n${line}\n${user('Later', { timestamp: '2026-11-15T02:00:00.000Z' })}\n`;
  const { title, cwd, lastAt } = archive.readFacts(...ends(text));
  expect(title).toBe(`Read "this": éé ${'many words '.repeat(20_000)}`.slice(0, 200));
  expect({ cwd, lastAt }).toEqual({ cwd: '/p', lastAt: '2026-11-15T02:00:00.000Z' });
});

test('a last line longer than the part that is read still provides its time', () => {
  const text = `${user('First')}\n${user([{ ...result, content: 'x'.repeat(3 * PIECE) }], { timestamp: '2026-11-15T03:00:00.000Z' })}\n`;
  expect(archive.readFacts(...ends(text))).toEqual({ cwd: '/p', title: 'First', lastAt: '2026-11-15T03:00:00.000Z' });
});

test('when the last line has no time, the time of the start is not used', () => {
  const text = `${user('First')}\n{"type":"api-request-blob","message":"${'x'.repeat(3 * PIECE)}"}\n`;
  expect(archive.readFacts(...ends(text))).toEqual({ cwd: '/p', title: 'First' });
});
