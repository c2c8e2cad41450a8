import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { patchBetween } from './patch.ts';
import type { Input, ToolCall, ToolOutcome } from './tool-use.ts';

const NOTES = 'demo-notes.md';
const HARMLESS = ['date', 'ls', 'pwd', 'whoami', 'uname', 'echo', 'uptime'];
const COMMAND_LIMIT_MS = 10_000;

/** Adds a line to the notes: a new file the first time, an edit afterwards. */
export function writeNotes(cwd: string, line: string): ToolCall {
  const file_path = resolve(cwd, NOTES);
  const shared = { kind: 'tool', title: `Write to ${NOTES}` } as const;
  if (!existsSync(file_path)) {
    const content = `# Notes of the demo agent\n\n- ${line}\n`;
    return { ...shared, name: 'Write', input: { file_path, content }, run: (input) => writeFile(cwd, input) };
  }
  const old_string = readFileSync(file_path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  return { ...shared, name: 'Edit', input: { file_path, old_string, new_string: `${old_string}\n- ${line}` }, run: (input) => editFile(cwd, input) };
}

export const runCommand = (cwd: string, command: string): ToolCall => ({
  name: 'Bash',
  kind: 'tool',
  title: command,
  input: { command, description: 'A harmless command' },
  run: (input) => execute(cwd, String(input.command ?? '')),
});

function writeFile(cwd: string, input: Input): ToolOutcome {
  return replace(cwd, String(input.file_path ?? ''), () => String(input.content ?? ''));
}

function editFile(cwd: string, input: Input): ToolOutcome {
  const [from, to] = [String(input.old_string ?? ''), String(input.new_string ?? '')];
  return replace(cwd, String(input.file_path ?? ''), (text) => {
    const at = text.lastIndexOf(from);
    return at < 0 ? undefined : `${text.slice(0, at)}${to}${text.slice(at + from.length)}`;
  });
}

function replace(cwd: string, path: string, edit: (text: string) => string | undefined): ToolOutcome {
  const target = resolve(cwd, path);
  if (relative(cwd, target).startsWith('..')) return { output: `The demo agent writes only inside ${cwd}.`, error: true };
  const isNew = !existsSync(target);
  const before = isNew ? '' : readFileSync(target, 'utf8');
  const after = edit(before);
  if (after === undefined) return { output: 'The text to replace is not in the file any more.', error: true };
  writeFileSync(target, after);
  const change = { kind: isNew ? ('create' as const) : ('edit' as const), path: target, patch: patchBetween(before, after) };
  return { output: `${isNew ? 'Created' : 'Changed'} ${relative(cwd, target)}`, error: false, change };
}

/** Without a shell, and only what can do no harm, whatever was typed into the approval. */
function execute(cwd: string, command: string): Promise<ToolOutcome> | ToolOutcome {
  const [program = '', ...args] = command.split(/\s+/).filter((word) => word !== '');
  if (!HARMLESS.includes(program)) return { output: `The demo agent only runs ${HARMLESS.join(', ')}.`, error: true };
  return new Promise((done) =>
    execFile(program, args, { cwd, timeout: COMMAND_LIMIT_MS, maxBuffer: 1024 * 1024 }, (error, stdout, stderr) =>
      done({ output: `${stdout}${stderr}`.trimEnd(), error: error !== null }),
    ),
  );
}
