import { expect, test } from 'vitest';
import type { Event } from '../../protocol/event.ts';
import { lastLineOf } from './last-line.ts';

const at = { seq: 1, at: '' };
const cases: readonly [string, Event, string | undefined][] = [
  ['the last line of an answer, without its markdown', { ...at, type: 'assistant.text', messageId: 'm', index: 0, text: 'One\n\n- **two** `x`\n' }, 'two x'],
  ['nothing of a subagent', { ...at, type: 'assistant.text', messageId: 'm', index: 0, text: 'inner', parentToolUseId: 't' }, undefined],
  ['a tool and what it is about', { ...at, type: 'tool.started', toolUseId: 't', name: 'Bash', input: { timeout: 3, command: 'ls  -la' } }, 'Bash ls -la'],
  [
    'why a turn failed',
    { ...at, type: 'turn.completed', turnId: 't' as never, stopReason: 'x', isError: true, interrupted: false, denials: 0, errors: ['no key'] },
    'no key',
  ],
  ['what went wrong', { ...at, type: 'notice.shown', level: 'error', text: 'there is no such program' }, 'there is no such program'],
  ['an unexpected end', { ...at, type: 'session.exited', run: 'r' as never, reason: 'died' }, 'The agent ended unexpectedly'],
  ['a long line cut', { ...at, type: 'user.message', origin: 'person', text: 'x'.repeat(500) }, `${'x'.repeat(139)}…`],
];
for (const [name, event, expected] of cases) test(`a list shows ${name}`, () => expect(lastLineOf(event)).toBe(expected));
