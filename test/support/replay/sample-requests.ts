import type { ReplaySession } from './replay-journals.ts';
import { journalOf, type SampleEvent } from './sample-journal.ts';
import { sessionOf } from './sample-sessions.ts';

/** One session per kind of request, oldest first: everything an inbox must be able to show. */
export function sampleRequests(): readonly ReplaySession[] {
  return REQUESTS.map(([id, title, request], at) => {
    const minutes = 30 - at * 3;
    const session = sessionOf({ id, title, status: 'waiting', waiting: 1 }, minutes);
    const created: SampleEvent = { type: 'session.created', agent: 'demo', cwd: session.cwd, node: 'local', owner: 'ada', options: {} };
    const asked: SampleEvent = { type: 'permission.requested', requestId: `r-${id}`, agentRequestId: id, kind: 'tool', ...request };
    const events = journalOf(new Date(Date.now() - minutes * 60_000), [created, asked]);
    return { session: { ...session, lastSeq: events.length }, events };
  });
}

const LONG = `set -e\n${Array.from({ length: 30 }, (_, at) => `echo step ${at}`).join('\n')}\nrm -rf build`;
const edits = [
  { old_string: 'await write(cartId, items)\nawait delay(50)', new_string: 'await queue.settled(cartId)\nawait write(cartId, merge(items))' },
  { old_string: 'const limit = 50', new_string: 'const limit = 200' },
];

const REQUESTS: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  [
    'shard',
    'Flaky test in checkout suite',
    {
      tool: 'Bash',
      input: { command: 'npm test -- --shard 2/4 --retries 0', description: 'Run the second shard without retries' },
      subject: { kind: 'command', command: 'npm test -- --shard 2/4 --retries 0' },
      suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    },
  ],
  ['hidden', 'Clean up the build', { tool: 'Bash', input: { command: `${LONG}\u202e \u200b` }, subject: { kind: 'command', command: `${LONG}\u202e \u200b` } }],
  [
    'merge',
    'Port importer to streams',
    {
      tool: 'MultiEdit',
      input: { file_path: '/home/ada/storefront/src/cart/merge.ts', edits },
      subject: { kind: 'edit', paths: ['/home/ada/storefront/src/cart/merge.ts'] },
      subagent: 'explore',
    },
  ],
  [
    'web',
    'Docs search relevance',
    { tool: 'WebFetch', input: { url: 'https://docs.example.org/guide?v=2#top' }, subject: { kind: 'web', url: 'https://docs.example.org/guide?v=2#top' } },
  ],
  [
    'mcp',
    'Rotate signing keys',
    {
      tool: 'mcp__tracker__create',
      input: { title: 'Rotate keys', labels: ['security', 'ops'], body: { text: 'Every 90 days.\nSee the runbook.', draft: false } },
      subject: { kind: 'mcp', server: 'tracker', tool: 'create' },
    },
  ],
  ['other', 'Upgrade to Node 24', { tool: 'Checkpoint', input: { name: 'before upgrade', keep: 3 }, subject: { kind: 'other' } }],
  [
    'asks',
    'Release notes 4.2',
    {
      kind: 'question',
      tool: 'Ask',
      input: {
        questions: [
          {
            question: 'Which readers come first?',
            header: 'Readers',
            options: [
              { label: 'Operators', description: 'They upgrade' },
              { label: 'Developers', description: 'They call it' },
            ],
          },
          { question: 'What shall be named?', multiSelect: true, options: [{ label: 'Fixes' }, { label: 'Features' }, { label: 'Thanks' }] },
        ],
      },
    },
  ],
  [
    'plan',
    'Tidy up the CI cache',
    { kind: 'plan', tool: 'Plan', input: { plan: '## Plan\n\n1. Measure what is cached\n2. Drop what nobody reads\n3. `npm ci` stays' } },
  ],
];
