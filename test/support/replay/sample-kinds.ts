import type { ReplaySession } from './replay-journals.ts';
import { journalOf, type SampleEvent } from './sample-journal.ts';
import { sessionOf } from './sample-sessions.ts';

const T1 = { turnId: 't1' };
const ESC = '\u001b';

interface CallOptions {
  readonly after?: number;
  readonly isError?: boolean;
  readonly parent?: string;
  readonly more?: object;
}

/** A call and its result. */
function call(id: string, name: string, input: object, output: string, { after = 1, isError = false, parent, more = {} }: CallOptions = {}): SampleEvent[] {
  const where = { toolUseId: id, ...T1, ...(parent === undefined ? {} : { parentToolUseId: parent }) };
  return [
    { type: 'tool.started', name, input, itemId: `i-${id}`, ...where },
    { type: 'tool.completed', after, output, isError, ...where, ...more },
  ];
}

const COLORED = [
  `${ESC}[1m${ESC}[46m RUN ${ESC}[49m${ESC}[22m ${ESC}[36mv4.1.12${ESC}[39m`,
  '',
  ` ${ESC}[32m✓${ESC}[39m cart.spec.ts ${ESC}[2m(61 tests)${ESC}[22m`,
  ` ${ESC}[31m✗${ESC}[39m coupon.spec.ts › ${ESC}[1mkeeps the coupon after login${ESC}[22m`,
  `   ${ESC}[38;5;208mexpected 2 items, got 3${ESC}[0m`,
  `downloading 10 %\rdownloading 55 %\rdownloading 100 %${ESC}[K`,
  `${ESC}]0;a title that nobody asked for\u0007${ESC}[?25lTests: 1 failed, 61 passed`,
].join('\n');

const todos = (...states: readonly string[]) => ({
  todos: ['Find the shard that fails', 'Replace the timer by the queue', 'Run the suite three times'].map((content, at) => ({
    content,
    status: states[at] ?? 'pending',
  })),
});

const SUBAGENT_CALLS = Array.from({ length: 9 }, (_, at) =>
  call(`s${at}`, at % 2 === 0 ? 'Grep' : 'Read', at % 2 === 0 ? { pattern: `waitFor${at}`, path: 'test/' } : { file_path: `test/file-${at}.ts` }, 'a\nb\nc', {
    parent: 'u8',
  }),
).flat();

/** Every kind of tool call and mark, once each. */
const KINDS_STORY: readonly SampleEvent[] = [
  { type: 'session.created', agent: 'demo', cwd: '/home/ada/storefront', node: 'local', owner: 'ada', options: {}, title: 'All kinds of work' },
  {
    type: 'session.started',
    agentSessionId: 's1',
    model: 'opus',
    tools: [],
    commands: [
      { name: 'compact', description: 'Shorten the conversation', argumentHint: '[what to keep]' },
      { name: 'context', description: 'Show what fills the context' },
      { name: 'review', description: 'Review the changes' },
    ],
    mcpServers: [],
    permissionMode: 'default',
    cwd: '/home/ada/storefront',
  },
  { type: 'turn.started', cause: 'input', ...T1 },
  { type: 'user.message', text: 'Show me every kind of work you do.', origin: 'person', ...T1 },
  { type: 'hook.ran', name: 'lint', event: 'PreToolUse', outcome: 'success', output: 'two files looked at', ...T1 },
  ...call('u1', 'TodoWrite', todos('in_progress'), 'ok'),
  ...call('u2', 'Bash', { command: 'npm test -- --reporter verbose' }, COLORED, { after: 41, isError: true }),
  ...call('u3', 'Bash', { command: 'git log --oneline' }, Array.from({ length: 80 }, (_, at) => `commit ${at + 1}`).join('\n')),
  ...call('u4', 'Read', { file_path: '/home/ada/storefront/src/cart/merge.ts', offset: 30, limit: 20 }, 'a\nb'),
  ...call('u5', 'Grep', { pattern: 'waitForTimeout', path: '/home/ada/storefront/test' }, 'one.ts\ntwo.ts\nthree.ts'),
  ...call('u6', 'WebFetch', { url: 'https://example.com/queues', prompt: 'What is a settled queue?' }, 'A queue in which nothing waits.'),
  ...call('u7', 'mcp__issues__create_comment', { issue: 41, body: 'Found it.' }, 'commented'),
  { type: 'retry.reported', attempt: 2, maxAttempts: 10, delayMs: 4000, error: 'overloaded', ...T1 },
  {
    type: 'tool.started',
    toolUseId: 'u8',
    name: 'Task',
    input: { description: 'who else waits on timers', subagent_type: 'explore', prompt: 'Find all.' },
    ...T1,
  },
  ...SUBAGENT_CALLS,
  { type: 'tool.completed', after: 20, toolUseId: 'u8', output: 'Nine places.', isError: false, ...T1 },
  ...call('u9', 'TodoWrite', todos('completed', 'in_progress'), 'ok'),
  { type: 'context.compacted', preTokens: 151_000, postTokens: 22_000, trigger: 'auto' },
  {
    type: 'assistant.text',
    text: 'All of it is done; see [the docs](https://docs.example/queues).',
    itemId: 'm9:0',
    messageId: 'm9',
    index: 0,
    ...T1,
  },
  {
    type: 'usage.reported',
    usage: { inputTokens: 1200, outputTokens: 800, cacheReadTokens: 20_000, cacheWriteTokens: 2400 },
    ...T1,
  },
  { type: 'limit.reported', status: 'allowed_warning', kind: 'five_hour', resetsAt: '2099-01-01T00:00:00.000Z' },
  { type: 'turn.completed', stopReason: 'max_tokens', isError: false, interrupted: false, durationMs: 68_000, costUsd: 0.42, denials: 0, ...T1 },
  { type: 'suggestion.offered', text: 'run the whole suite three times' },
  { type: 'suggestion.offered', text: 'commit it' },
];

export function kindsSession(): ReplaySession {
  const events = journalOf(new Date(), KINDS_STORY);
  const session = sessionOf({
    id: 'kinds',
    title: 'All kinds of work',
    model: 'opus',
    permissionMode: 'default',
    cwd: '/home/ada/storefront',
    costUsd: 0.42,
    pid: 4711,
    rssBytes: 325_000_000,
    context: { tokens: 24_400, window: 200_000 },
  });
  return { session: { ...session, lastSeq: events.length }, events };
}
