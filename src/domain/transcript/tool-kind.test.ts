import { expect, test } from 'vitest';
import { mcpName, toolKind, toolSummary } from './tool-kind.ts';

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
  ['mcp__box__do', { command: ['make', 'all'] }, 'mcp', 'make all'],
  ['update_plan', { plan: [{ step: 'look', status: 'pending' }] }, 'todo', ''],
  ['plan', { entries: [] }, 'todo', ''],
  ['TaskCreate', { subject: 'look', description: 'look around' }, 'todo', 'look around'],
  ['unheard_of', { command: 'first\nsecond' }, 'command', 'first …'],
  ['Bash', { command: '\nls\n' }, 'command', 'ls'],
  [undefined, undefined, 'other', ''],
] as const;
for (const [name, input, kind, summary] of cases) {
  test(`${name ?? 'a call without a name'} is shown as ${kind}`, () => expect([toolKind(name, input), toolSummary(input)]).toEqual([kind, summary]));
}

test('an MCP tool is shown with its server’s name and its own', () => {
  expect(mcpName('mcp__issue_box__list__all')).toEqual({ server: 'issue_box', tool: 'list__all' });
  expect(mcpName('list')).toBeUndefined();
});
