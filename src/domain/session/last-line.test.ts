import { expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { lastLineOf } from './last-line.ts';

const at = { seq: 1, at: '' };
const asked = { ...at, type: 'permission.requested', requestId: 'q' as never, agentRequestId: 'q', tool: 'Bash' } as const;
const cases: readonly [string, Event, string | undefined][] = [
  [
    'the first sentence of an answer, without its Markdown',
    { ...at, type: 'assistant.text', messageId: 'm', index: 0, text: '# Summary\n\n**Two** tests of `x` failed. The rest passed.\n\nDone.\n' },
    'Two tests of x failed.',
  ],
  [
    'more than a first sentence that says little',
    { ...at, type: 'assistant.text', messageId: 'm', index: 0, text: 'Done. I changed three files.\n\nBye.' },
    'Done. I changed three files.',
  ],
  ['no code', { ...at, type: 'assistant.text', messageId: 'm', index: 0, text: '```ts\nlet a;\n```\nThat is it' }, 'That is it'],
  ['nothing of a subagent', { ...at, type: 'assistant.text', messageId: 'm', index: 0, text: 'inner', parentToolUseId: 't' }, undefined],
  ['a tool and what it is about', { ...at, type: 'tool.started', toolUseId: 't', name: 'Bash', input: { timeout: 3, command: 'ls  -la' } }, 'Running ls -la'],
  ['an unknown tool by its name', { ...at, type: 'tool.started', toolUseId: 't', name: 'Sing', input: { song: 'la la' } }, 'Sing la la'],
  [
    'an MCP tool with its server',
    { ...at, type: 'tool.started', toolUseId: 't', name: 'mcp__trains__find', input: { query: 'Bern' } },
    'Using find from trains: Bern',
  ],
  ['an MCP tool without arguments', { ...at, type: 'tool.started', toolUseId: 't', name: 'mcp__a__b', input: {} }, 'Using b from a'],
  ['that a running command has more lines', { ...at, type: 'tool.started', toolUseId: 't', name: 'Bash', input: { command: 'ls\nrm x' } }, 'Running ls …'],
  ['that a requested command has more lines', { ...asked, kind: 'tool', input: { command: 'ls\nrm x' } }, 'wants to run ls …'],
  ['what is requested', { ...asked, kind: 'tool', input: { command: 'ls  -la' } }, 'wants to run ls -la'],
  ['a requested command with all its characters', { ...asked, kind: 'tool', input: { command: 'rm -rf **/a `b`' } }, 'wants to run rm -rf **/a `b`'],
  [
    'a running command with all its characters',
    { ...at, type: 'tool.started', toolUseId: 't', name: 'Bash', input: { command: 'rm -rf **/a __b' } },
    'Running rm -rf **/a __b',
  ],
  ['which file would change', { ...asked, kind: 'tool', input: {}, subject: { kind: 'edit', paths: ['a.ts'] } }, 'wants to change a.ts'],
  ['the question', { ...asked, kind: 'question', input: { questions: [{ question: 'Which colour?' }] } }, 'asks: Which colour?'],
  ['that there is a plan', { ...asked, kind: 'plan', input: { plan: '1. Look' } }, 'proposes a plan'],
  [
    'why a turn failed',
    { ...at, type: 'turn.completed', turnId: 't' as never, stopReason: 'x', isError: true, interrupted: false, denials: 0, errors: ['no key'] },
    'no key',
  ],
  ['an error', { ...at, type: 'notice.shown', level: 'error', text: 'there is no such program' }, 'there is no such program'],
  ['a crash', { ...at, type: 'session.exited', run: 'r' as never, reason: 'died' }, 'The agent crashed'],
  ['a long line, shortened', { ...at, type: 'user.message', origin: 'person', text: 'x'.repeat(500) }, `${'x'.repeat(139)}…`],
];
for (const [name, event, expected] of cases) test(`a list shows ${name}`, () => expect(lastLineOf(event)).toBe(expected));
