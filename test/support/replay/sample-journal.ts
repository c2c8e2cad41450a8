import type { EventBody } from '../../../src/protocol/event.ts';
import { Event } from '../../../src/protocol/event.ts';

/** An event without its number and time; `after` is how many seconds passed since the one before it. */
export type SampleEvent = { readonly type: EventBody['type']; readonly after?: number } & Readonly<Record<string, unknown>>;

/** Gives the events of a story numbers and times, and checks them with the real schema. */
export function journalOf(endsAt: Date, story: readonly SampleEvent[]): Event[] {
  const total = story.reduce((sum, { after = 1 }) => sum + after, 0);
  let at = endsAt.getTime() - total * 1000;
  return story.map(({ after = 1, ...body }, index) => {
    at += after * 1000;
    return Event.parse({ ...body, seq: index + 1, at: new Date(at).toISOString() });
  });
}

const ADA = { kind: 'person', id: 'ada', name: 'Ada' };
const turn = (turnId: string) => ({ turnId });

const PATCH = [
  '--- a/src/cart/merge.ts',
  '+++ b/src/cart/merge.ts',
  '@@ -38,4 +38,4 @@ mergeGuestCart',
  '   const pending = queue.pending(cartId)',
  '-  await write(cartId, items)',
  '-  await delay(50)',
  '+  await queue.settled(cartId)',
  '+  await write(cartId, merge(items, await read(cartId)))',
  '   return emit("cart.merged", cartId)',
  '',
].join('\n');

const FOUND = `The failure needs **two tabs**: the second login merges the guest cart while the first write is still queued. The test waits on a timer, so it only sees it under load.

What I would change:

1. wait for \`queue.settled()\` instead of 50 ms
2. merge with what is stored, not with what was sent

\`\`\`ts
export async function settled(cartId: CartId): Promise<void> {
  // every write of this cart, also those of other tabs
  await Promise.all(pending(cartId).map((write) => write.done));
}
\`\`\`

| runs | failures |
|---|---|
| before | 2 of 10 |
| after | 0 of 50 |`;

const block = (id: string, index: number) => ({ itemId: `m${id}:${index}`, messageId: `m${id}`, index });

/** A session with a pending request: it asks before it runs a command. */
export const WAITING_STORY: readonly SampleEvent[] = [
  {
    type: 'session.created',
    agent: 'demo',
    cwd: '/home/ada/storefront',
    node: 'local',
    owner: 'ada',
    options: {},
    title: 'Flaky test in checkout suite',
    actor: ADA,
  },
  {
    type: 'input.accepted',
    commandId: 'c1',
    text: 'The checkout suite fails about one run in five. Find out why before you change anything.',
    mode: 'queue',
    actor: ADA,
  },
  { type: 'run.opened', run: 'r1', mode: 'new', reason: 'first message' },
  {
    type: 'session.started',
    agentSessionId: 's1',
    model: 'opus',
    tools: [],
    commands: [],
    mcpServers: [],
    permissionMode: 'default',
    version: '2.1.197',
    cwd: '/home/ada/storefront',
  },
  { type: 'input.delivered', commandId: 'c1', run: 'r1' },
  { type: 'turn.started', turnId: 't1', cause: 'input', commandId: 'c1' },
  {
    type: 'user.message',
    text: 'The checkout suite fails about one run in five. Find out why before you change anything.',
    commandId: 'c1',
    origin: 'person',
    ...turn('t1'),
  },
  {
    type: 'assistant.thinking',
    after: 6,
    text: 'The suite is sharded. I should look at the shard that fails, with its own timings, before I touch anything.',
    ...block('1', 0),
    ...turn('t1'),
  },
  { type: 'tool.started', toolUseId: 'u1', name: 'Bash', input: { command: 'npm test -- --shard 1/4 --reporter json' }, ...block('1', 1), ...turn('t1') },
  {
    type: 'tool.completed',
    after: 41,
    toolUseId: 'u1',
    output: '✗ cart.spec.ts › keeps the coupon after login\n  expected 2 items, got 3   (2 of 10 runs)\n\nTests: 1 failed, 61 passed',
    isError: true,
    ...turn('t1'),
  },
  { type: 'assistant.text', after: 4, text: FOUND, ...block('2', 0), ...turn('t1') },
  {
    type: 'tool.started',
    toolUseId: 'u2',
    name: 'Task',
    input: { description: 'explore: who else waits on cart timers', prompt: 'Find every wait on a timer in test/ and src/cart.' },
    ...block('2', 1),
    ...turn('t1'),
  },
  {
    type: 'tool.started',
    after: 3,
    toolUseId: 'u3',
    name: 'Grep',
    input: { pattern: 'waitForTimeout', path: 'test/' },
    parentToolUseId: 'u2',
    ...block('3', 0),
    ...turn('t1'),
  },
  {
    type: 'tool.completed',
    toolUseId: 'u3',
    output: Array.from({ length: 11 }, (_, at) => `test/checkout/file-${at}.ts:12`).join('\n'),
    isError: false,
    parentToolUseId: 'u2',
    ...turn('t1'),
  },
  {
    type: 'tool.started',
    toolUseId: 'u4',
    name: 'Read',
    input: { file_path: 'test/support/clock.ts' },
    parentToolUseId: 'u2',
    ...block('3', 1),
    ...turn('t1'),
  },
  {
    type: 'tool.completed',
    toolUseId: 'u4',
    output: Array.from({ length: 86 }, (_, at) => `${at + 1}  line`).join('\n'),
    isError: false,
    parentToolUseId: 'u2',
    ...turn('t1'),
  },
  {
    type: 'tool.completed',
    after: 20,
    toolUseId: 'u2',
    output: 'Eleven files wait on timers; only cart.spec.ts does so while a write is queued.',
    isError: false,
    ...turn('t1'),
  },
  {
    type: 'tool.started',
    toolUseId: 'u5',
    name: 'TodoWrite',
    input: {
      todos: [
        { content: 'Find the shard that fails', status: 'completed' },
        { content: 'Replace the timer by the queue', status: 'in_progress' },
        { content: 'Run the suite three times', status: 'pending' },
      ],
    },
    ...block('4', 0),
    ...turn('t1'),
  },
  { type: 'tool.completed', toolUseId: 'u5', output: 'ok', isError: false, ...turn('t1') },
  {
    type: 'tool.started',
    toolUseId: 'u6',
    name: 'Edit',
    input: { file_path: 'src/cart/merge.ts', old_string: 'a', new_string: 'b' },
    ...block('4', 1),
    ...turn('t1'),
  },
  {
    type: 'tool.completed',
    toolUseId: 'u6',
    output: 'The file has been updated.',
    isError: false,
    change: { kind: 'edit', path: 'src/cart/merge.ts', patch: PATCH },
    ...turn('t1'),
  },
  { type: 'tool.started', toolUseId: 'u7', name: 'Bash', input: { command: 'npm test -- --shard 2/4 --retries 0' }, ...block('4', 2), ...turn('t1') },
  {
    type: 'permission.requested',
    requestId: 'r1:q1',
    agentRequestId: 'q1',
    toolUseId: 'u7',
    tool: 'Bash',
    input: { command: 'npm test -- --shard 2/4 --retries 0' },
    kind: 'tool',
    ...turn('t1'),
  },
  { type: 'input.accepted', after: 200, commandId: 'c2', text: 'then run the whole suite three times', mode: 'queue', actor: ADA },
];

/** A session with finished turns, a denied request, a retry, an interruption and unrecognized lines. */
export const FINISHED_STORY: readonly SampleEvent[] = [
  { type: 'session.created', agent: 'demo', cwd: '/home/ada/infra', node: 'local', owner: 'ada', options: {}, title: 'Tidy up the CI cache', actor: ADA },
  { type: 'input.accepted', commandId: 'd1', text: 'Tidy up the CI cache keys', mode: 'queue', actor: ADA },
  { type: 'input.delivered', commandId: 'd1', run: 'r2' },
  { type: 'turn.started', turnId: 't2', cause: 'input', commandId: 'd1' },
  { type: 'retry.reported', attempt: 2, maxAttempts: 10, delayMs: 4000, error: 'overloaded', ...turn('t2') },
  { type: 'permission.requested', requestId: 'r2:q1', agentRequestId: 'q1', tool: 'Bash', input: { command: 'rm -rf .cache' }, kind: 'tool', ...turn('t2') },
  {
    type: 'permission.resolved',
    after: 12,
    requestId: 'r2:q1',
    outcome: 'denied',
    behavior: 'deny',
    message: 'keep the folder, only empty it',
    actor: ADA,
    ...turn('t2'),
  },
  { type: 'assistant.text', text: 'Understood: I empty the folder and keep it.', ...block('9', 0), ...turn('t2') },
  { type: 'unrecognised', raw: '{"type":"telemetry","n":1}' },
  { type: 'unrecognised', raw: '{"type":"telemetry","n":2}' },
  {
    type: 'turn.completed',
    turnId: 't2',
    stopReason: 'end_turn',
    isError: false,
    interrupted: false,
    durationMs: 38_000,
    costUsd: 0.21,
    denials: 1,
    usage: { inputTokens: 12_000, outputTokens: 1_840, cacheReadTokens: 0, cacheWriteTokens: 0 },
  },
  { type: 'context.compacted', preTokens: 151_000, postTokens: 22_000, trigger: 'auto' },
];

/** A long conversation: `turns` questions, each with a command and an answer. */
export const longStory = (turns: number): readonly SampleEvent[] =>
  Array.from({ length: turns }, (_, at): readonly SampleEvent[] => [
    { type: 'user.message', text: `question ${at}`, origin: 'person' },
    { type: 'tool.started', toolUseId: `l${at}`, name: 'Bash', input: { command: `make step-${at}` } },
    { type: 'tool.completed', toolUseId: `l${at}`, output: 'ok', isError: false },
    { type: 'assistant.text', text: `answer ${at}\n\n${'It went well. '.repeat(at % 20)}`, ...block(`l${at}`, 0) },
  ]).flat();
