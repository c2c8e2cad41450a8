import { Event } from '../../../src/protocol/event.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { seeded } from '../seeded.ts';
import type { ReplaySession } from './replay-journals.ts';
import { sessionOf } from './sample-sessions.ts';

const MINUTE = 60_000;

/** An event, and how many minutes ago it happened. */
type TimedBody = readonly [minutesAgo: number, body: Readonly<Record<string, unknown>>];

const created = (parent?: string) => ({
  type: 'session.created',
  agent: 'demo',
  cwd: '/w',
  node: 'n',
  owner: 'ada',
  options: {},
  ...(parent !== undefined && { parent: { sessionId: parent, seq: 1 } }),
});
const status = (now: string) => ({ type: 'session.status', status: now, cause: 'turn.completed' });
const began = { type: 'turn.started', turnId: 't', cause: 'input' };
const ended = (fields: object = {}) => ({
  type: 'turn.completed',
  turnId: 't',
  stopReason: 'end_turn',
  isError: false,
  interrupted: false,
  denials: 0,
  ...fields,
});

const COMMANDS = ['npm test -- --shard 2/4', 'rg "queue.settled" src', 'git diff --stat', 'npx tsc --noEmit', 'node bench/import.mjs'];

/** A turn from one time to another with this many calls; still running if it ends at 0. */
function turn(from: number, to: number, calls: number, random: () => number): readonly TimedBody[] {
  const step = (from - to) / (calls + 1);
  const worked = Array.from({ length: calls }, (_, index): readonly TimedBody[] => {
    const at = from - (index + 1) * step;
    const id = `${from}:${index}`;
    const command = COMMANDS[Math.floor(random() * COMMANDS.length)] ?? '';
    return [
      [at, { type: 'tool.started', toolUseId: id, name: 'Bash', input: { command } }],
      [at - step * (0.04 + random() ** 3 * 0.7), { type: 'tool.completed', toolUseId: id, output: '', isError: false }],
    ];
  }).flat();
  return [[from, began], [from, status('busy')], ...worked, ...(to === 0 ? [] : [[to, ended()] as const, [to, status('idle')] as const])];
}

function replayed(session: Session, story: readonly TimedBody[]): ReplaySession {
  const now = Date.now();
  const events = [...story]
    .sort(([a], [b]) => b - a)
    .map(([minutesAgo, body], index) => Event.parse({ ...body, seq: index + 1, at: new Date(now - minutesAgo * MINUTE).toISOString() }));
  return { session: { ...session, lastSeq: events.length, createdAt: events[0]?.at ?? session.createdAt, updatedAt: events.at(-1)?.at ?? '' }, events };
}

const asked = (at: number, id: string, body: object): readonly TimedBody[] => [
  [at, { type: 'permission.requested', requestId: id, agentRequestId: id, kind: 'tool', ...body }],
  [at, status('waiting')],
];

const todos = (at: number, done: number, total: number): readonly TimedBody[] => {
  const list = Array.from({ length: total }, (_, index) => ({ content: `step ${index}`, status: index < done ? 'completed' : 'pending' }));
  return [
    [at, { type: 'tool.started', toolUseId: `todo${at}`, name: 'TodoWrite', input: { todos: list } }],
    [at - 0.02, { type: 'tool.completed', toolUseId: `todo${at}`, output: '', isError: false }],
  ];
};

const context = (tokens: number) => ({ tokens, window: 200_000 });
const QUESTION = {
  questions: [{ question: 'Which readers come first?', header: 'Readers', options: [{ label: 'Operators' }, { label: 'Developers' }], multiSelect: false }],
};

/** A deck in the middle of the day: every status, a fork, a compaction and a to-do list. */
export function sampleDeck(): readonly ReplaySession[] {
  const random = seeded(7);
  const shard = {
    tool: 'Bash',
    input: { command: 'npm test -- --shard 2/4' },
    subject: { kind: 'command', command: 'npm test -- --shard 2/4', field: 'command' },
  };
  return [
    replayed(
      sessionOf({
        id: 'keys',
        title: 'Rotate signing keys without downtime',
        status: 'busy',
        project: 'payments-api',
        lastLine: 'Editing src/keys/rotate.ts',
        costUsd: 1.12,
        context: context(70_000),
        rssBytes: 312e6,
      }),
      [[131, created()], ...turn(14.6, 12.8, 4, random), ...turn(12.1, 10.4, 4, random), ...turn(7.2, 0, 11, random), ...todos(6.9, 4, 7)],
    ),
    replayed(
      sessionOf({
        id: 'flaky',
        title: 'Flaky test in checkout suite',
        status: 'waiting',
        waiting: 1,
        lastLine: 'wants to run npm test -- --shard 2/4',
        costUsd: 2.4,
        context: context(142_000),
        rssBytes: 498e6,
      }),
      [[96, created()], ...turn(10.5, 6.3, 4, random), ...turn(6, 0, 0, random), [4.7, COMPACTED], ...asked(2.6, 'q1', shard)],
    ),
    replayed(
      sessionOf({
        id: 'fork',
        title: 'Fork: try the retry-free variant',
        status: 'busy',
        lastLine: 'Reading test/checkout/cart.spec.ts',
        costUsd: 0.31,
        context: context(128_000),
        rssBytes: 287e6,
        parent: { sessionId: 'flaky', seq: 1 },
      }),
      [[6.1, created('flaky')], ...turn(5.4, 0, 7, random), ...todos(5.2, 1, 3)],
    ),
    replayed(
      sessionOf({
        id: 'port',
        title: 'Port importer to streams',
        status: 'busy',
        project: 'etl',
        lastLine: 'Running node bench/import.mjs',
        costUsd: 0.18,
        context: context(44_000),
        rssBytes: 201e6,
      }),
      [[55, created()], ...turn(13.8, 11.4, 2, random), ...turn(4.5, 0, 5, random)],
    ),
    replayed(
      sessionOf({
        id: 'notes',
        title: 'Release notes 4.2',
        status: 'waiting',
        waiting: 1,
        project: 'docs',
        lastLine: 'asks: Which readers come first?',
        costUsd: 0.09,
        context: context(21_000),
      }),
      [
        [44, created()],
        ...turn(9.6, 0, 0, random),
        ...asked(7.7, 'q2', { kind: 'question', tool: 'AskUserQuestion', input: QUESTION, subject: { kind: 'other' } }),
      ],
    ),
    replayed(
      sessionOf({
        id: 'cache',
        title: 'Tidy up the CI cache',
        status: 'idle',
        project: 'infra',
        lastLine: 'Done: 3 files changed, tests pass',
        costUsd: 0.21,
        context: context(30_000),
        rssBytes: 180e6,
      }),
      [[30, created()], ...turn(14.5, 11.7, 5, random)],
    ),
    replayed(
      sessionOf({
        id: 'node',
        title: 'Upgrade to Node 24',
        status: 'failed',
        control: 'none',
        project: 'infra',
        lastLine: 'exit 1, rate limited until 14:20',
        costUsd: 0.77,
        context: context(98_000),
      }),
      [[25, created()], ...turn(13.2, 0, 6, random).filter(([at]) => at > 8.9), [8.8, ended({ isError: true, errors: ['exit 1'] })], [8.8, status('failed')]],
    ),
    replayed(
      sessionOf({
        id: 'docs',
        title: 'Docs search relevance',
        status: 'sleeping',
        control: 'none',
        project: 'docs',
        lastLine: 'The ranking prefers titles now',
        costUsd: 3.05,
        context: context(160_000),
      }),
      [[190, created()], ...turn(16, 13.6, 4, random), [11.2, status('sleeping')]],
    ),
  ];
}

const COMPACTED = { type: 'context.compacted', preTokens: 151_000, postTokens: 31_000, trigger: 'auto' };

/** This many sessions at once, each busy in a different way. */
export function manyBusySessions(count: number): readonly ReplaySession[] {
  const random = seeded(11);
  return Array.from({ length: count }, (_, index) => {
    const isBusy = index % 3 !== 2;
    const starts = 14 - (index % 12);
    const story = [...turn(14.9, Math.max(starts, 12.5), 3, random), ...turn(starts * 0.7, isBusy ? 0 : 0.5, 12, random)];
    return replayed(sessionOf({ id: `l${index}`, title: `Line ${index}`, status: isBusy ? 'busy' : 'idle' }), [[60 + index, created()], ...story]);
  });
}
