import { expect, test } from 'vitest';
import { toolGist, toolKind } from './tool-kind.ts';

const cases = [
  ['Bash', { command: 'ls' }, 'command', 'ls'],
  ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, 'edit', 'a.ts'],
  ['Write', { file_path: 'a.ts', content: 'x' }, 'write', 'a.ts'],
  ['Read', { file_path: 'a.ts' }, 'read', 'a.ts'],
  ['Grep', { pattern: 'x', path: 'src' }, 'search', 'x'],
  ['WebFetch', { url: 'https://example.com', prompt: 'sum up' }, 'web', 'https://example.com'],
  ['TodoWrite', { todos: [] }, 'todo', ''],
  ['Task', { description: 'look around', prompt: 'long' }, 'agent', 'look around'],
  ['Ask', { questions: [] }, 'question', ''],
  ['Leave', { plan: '1. go' }, 'plan', ''],
  ['mcp__box__do', { command: ['make', 'all'] }, 'other', 'make all'],
  ['unheard_of', { command: 'first\nsecond' }, 'command', 'first'],
  [undefined, undefined, 'other', ''],
] as const;
for (const [name, input, kind, gist] of cases) {
  test(`${name ?? 'a call without a name'} is shown as ${kind}`, () => expect([toolKind(name, input), toolGist(input)]).toEqual([kind, gist]));
}
