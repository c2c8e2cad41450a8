import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { patchBetween } from '../../formats/file-patch.ts';
import { drawSignal } from './picture.ts';
import type { Input, ToolCall, ToolOutcome } from './tool-use.ts';
import type { Turn } from './turn.ts';

const NOTES = 'demo-notes.md';
const HARMLESS = ['date', 'ls', 'pwd', 'whoami', 'uname', 'echo', 'uptime'];
const COMMAND_LIMIT_MS = 10_000;

/** Adds a line to the notes: a new file the first time, an edit afterwards. */
export function writeNotes(cwd: string, line: string): ToolCall {
  const file_path = resolve(cwd, NOTES);
  const shared = { kind: 'tool', title: `Write to ${NOTES}`, suggestions: FREE_EDITS } as const;
  if (!existsSync(file_path)) {
    const content = `# Notes of the demo agent\n\n- ${line}\n`;
    return { ...shared, name: 'Write', input: { file_path, content }, run: (input) => writeFile(cwd, input) };
  }
  const old_string = readFileSync(file_path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  return { ...shared, name: 'Edit', input: { file_path, old_string, new_string: `${old_string}\n- ${line}` }, run: (input) => editFile(cwd, input) };
}

export const hasNotes = (cwd: string): boolean => existsSync(resolve(cwd, NOTES));

/** The suggestion to accept edits, as real agents make it. */
const FREE_EDITS = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];

const allowRule = (toolName: string, ruleContent?: string) => [
  { type: 'addRules', rules: [{ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }], behavior: 'allow', destination: 'session' },
];

/** Edits two places in the notes in one call. */
export function editNotes(cwd: string): ToolCall {
  const file_path = resolve(cwd, NOTES);
  const lines = readFileSync(file_path, 'utf8').trimEnd().split('\n');
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  const edits = [
    { old_string: first, new_string: `${first.replace(/ \(.*\)$/, '')} (edited ${lines.length} lines in)` },
    { old_string: last, new_string: `${last}, and looked at again` },
  ];
  const input = { file_path, edits };
  return { kind: 'tool', title: `Two edits in ${NOTES}`, name: 'MultiEdit', suggestions: FREE_EDITS, input, run: (allowed) => editPlaces(cwd, allowed) };
}

export const fetchPage = (url: string): ToolCall => ({
  name: 'WebFetch',
  kind: 'tool',
  title: `Fetch ${url}`,
  input: { url, prompt: 'What does it say?' },
  suggestions: allowRule('WebFetch', url),
  run: (input) => ({ output: `The demo agent has no network. ${String(input.url)} was not fetched.`, error: false }),
});

export const setSignal = (): ToolCall => ({
  name: 'mcp__signals__set_aspect',
  kind: 'tool',
  title: 'Set a signal',
  input: { signal: 'S12', aspect: 'clear', holdSeconds: 30 },
  suggestions: allowRule('mcp__signals__set_aspect'),
  run: (input) => ({ output: `Signal ${String(input.signal)} shows ${String(input.aspect)}.`, error: false }),
});

export const picture = (): ToolCall => ({
  name: 'Picture',
  kind: 'tool',
  title: 'Draw a picture',
  input: { description: 'a clear signal' },
  isHarmless: true,
  run: () => ({ output: 'A 96 × 96 picture.', error: false, images: [{ mediaType: 'image/png', base64: drawSignal(96).toString('base64') }] }),
});

/** A subagent with its own conversation inside the call; it asks for approval like the main agent. */
export const lookAround = (turn: Turn): ToolCall => ({
  name: 'Task',
  kind: 'tool',
  title: 'Look around',
  input: { description: 'look around', prompt: 'List the folder and say what is there.', subagent_type: 'explorer' },
  isHarmless: true,
  run: (_input, item) =>
    turn.inside(item, 'explorer', async () => {
      await turn.say('I will list the folder.');
      const listed = await turn.use(runCommand(turn.cwd, 'ls'));
      const count = listed.output.split('\n').filter((line) => line !== '').length;
      return { output: listed.error ? 'I could not list the folder.' : `The folder has ${count} entries.`, error: false };
    }),
});

export const runCommand = (cwd: string, command: string): ToolCall => ({
  name: 'Bash',
  kind: 'tool',
  title: command,
  input: { command, description: 'A harmless command' },
  suggestions: allowRule('Bash', command),
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

function editPlaces(cwd: string, input: Input): ToolOutcome {
  const edits: readonly unknown[] = Array.isArray(input.edits) ? input.edits : [];
  return replace(cwd, String(input.file_path ?? ''), (text) =>
    edits.reduce((soFar: string | undefined, edit) => {
      const { old_string = '', new_string = '' }: Input = typeof edit === 'object' && edit !== null ? { ...edit } : {};
      return soFar?.includes(String(old_string)) ? soFar.replace(String(old_string), () => String(new_string)) : undefined;
    }, text),
  );
}

function replace(cwd: string, path: string, edit: (text: string) => string | undefined): ToolOutcome {
  const target = resolve(cwd, path);
  if (relative(cwd, target).startsWith('..')) return { output: `The demo agent writes only inside ${cwd}.`, error: true };
  const isNew = !existsSync(target);
  const before = isNew ? '' : readFileSync(target, 'utf8');
  const after = edit(before);
  if (after === undefined) return { output: 'The text to replace is no longer in the file.', error: true };
  writeFileSync(target, after);
  const change = { kind: isNew ? ('create' as const) : ('edit' as const), path: target, patch: patchBetween(before, after) };
  return { output: `${isNew ? 'Created' : 'Changed'} ${relative(cwd, target)}`, error: false, change };
}

/** Runs without a shell, and only harmless commands, no matter what was typed into the approval. */
function execute(cwd: string, command: string): Promise<ToolOutcome> | ToolOutcome {
  const [program = '', ...args] = command.split(/\s+/).filter((word) => word !== '');
  if (!HARMLESS.includes(program)) return { output: `The demo agent only runs ${HARMLESS.join(', ')}.`, error: true };
  return new Promise((done) =>
    execFile(program, args, { cwd, timeout: COMMAND_LIMIT_MS, maxBuffer: 1024 * 1024 }, (error, stdout, stderr) =>
      done({ output: `${stdout}${stderr}`.trimEnd(), error: error !== null }),
    ),
  );
}
