import { expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { lastLineOf } from './last-line.ts';

const at = { seq: 1, at: '' };
const asked = { ...at, type: 'permission.requested', requestId: 'q' as never, agentRequestId: 'q', tool: 'Bash' } as const;
const cases: readonly [string, Event, string | undefined][] = [
  ['the last line of an answer, without its markdown', { ...at, type: 'assistant.text', messageId: 'm', index: 0, text: 'One\n\n- **two** `x`\n' }, 'two x'],
  ['nothing of a subagent', { ...at, type: 'assistant.text', messageId: 'm', index: 0, text: 'inner', parentToolUseId: 't' }, undefined],
  ['a tool and what it is about', { ...at, type: 'tool.started', toolUseId: 't', name: 'Bash', input: { timeout: 3, command: 'ls  -la' } }, 'Running ls -la'],
  ['a tool like no other by its name', { ...at, type: 'tool.started', toolUseId: 't', name: 'Sing', input: { song: 'la la' } }, 'Sing la la'],
  [
    'a tool of a server, and whose it is',
    { ...at, type: 'tool.started', toolUseId: 't', name: 'mcp__trains__find', input: { query: 'Bern' } },
    'Using find from trains: Bern',
  ],
  ['a tool of a server that needs to be told nothing', { ...at, type: 'tool.started', toolUseId: 't', name: 'mcp__a__b', input: {} }, 'Using b from a'],
  ['that a command that runs has further lines', { ...at, type: 'tool.started', toolUseId: 't', name: 'Bash', input: { command: 'ls\nrm x' } }, 'Running ls …'],
  ['that a command that is wished for has further lines', { ...asked, kind: 'tool', input: { command: 'ls\nrm x' } }, 'wants to run ls …'],
  ['what is wished for', { ...asked, kind: 'tool', input: { command: 'ls  -la' } }, 'wants to run ls -la'],
  ['a command that is wished for, with every sign of it', { ...asked, kind: 'tool', input: { command: 'rm -rf **/a `b`' } }, 'wants to run rm -rf **/a `b`'],
  [
    'a command that runs, with every sign of it',
    { ...at, type: 'tool.started', toolUseId: 't', name: 'Bash', input: { command: 'rm -rf **/a __b' } },
    'Running rm -rf **/a __b',
  ],
  ['what is to be changed', { ...asked, kind: 'tool', input: {}, subject: { kind: 'edit', paths: ['a.ts'] } }, 'wants to change a.ts'],
  ['what is asked', { ...asked, kind: 'question', input: { questions: [{ question: 'Which colour?' }] } }, 'asks: Which colour?'],
  ['that there is a plan', { ...asked, kind: 'plan', input: { plan: '1. Look' } }, 'proposes a plan'],
  [
    'why a turn failed',
    { ...at, type: 'turn.completed', turnId: 't' as never, stopReason: 'x', isError: true, interrupted: false, denials: 0, errors: ['no key'] },
    'no key',
  ],
  ['what went wrong', { ...at, type: 'notice.shown', level: 'error', text: 'there is no such program' }, 'there is no such program'],
  ['an unexpected end', { ...at, type: 'session.exited', run: 'r' as never, reason: 'died' }, 'The agent crashed'],
  ['a long line cut', { ...at, type: 'user.message', origin: 'person', text: 'x'.repeat(500) }, `${'x'.repeat(139)}…`],
];
for (const [name, event, expected] of cases) test(`a list shows ${name}`, () => expect(lastLineOf(event)).toBe(expected));
