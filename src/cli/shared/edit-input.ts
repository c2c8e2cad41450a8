import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WaitingPermission } from '../../protocol/http.ts';
import { commandField } from '../../protocol/subject-fields.ts';
import { CliProblem } from './command.ts';

type Input = Record<string, unknown>;

/** The arguments after an edit: the text is the command when there is one, otherwise all arguments as JSON. */
export function editedInput(request: WaitingPermission, text: string): Input {
  const name = commandField(request.subject, request.input);
  if (name !== undefined) return { ...request.input, [name]: text.replace(/\n$/, '') };
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliProblem('The edited arguments are not a JSON object. Nothing was sent.');
  return { ...value };
}

/** Opens the request in the person's editor. Unchanged text counts as no edit. */
export async function editedInEditor(request: WaitingPermission, editor: string): Promise<Input | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-edit-'));
  const name = commandField(request.subject, request.input);
  const file = join(folder, name === undefined ? 'arguments.json' : 'command.sh');
  const before = name === undefined ? `${JSON.stringify(request.input, null, 2)}\n` : `${request.input[name]}\n`;
  try {
    writeFileSync(file, before, { mode: 0o600 });
    await runEditor(editor, file);
    const after = readFileSync(file, 'utf8');
    return after === before ? undefined : editedInput(request, after);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** $EDITOR can contain flags (`code --wait`). */
function runEditor(editor: string, file: string): Promise<void> {
  const [program = 'vi', ...flags] = editor.split(/\s+/).filter((word) => word !== '');
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...flags, file], { stdio: 'inherit' });
    child.once('error', (cause) => reject(new CliProblem(`Couldn't start the editor ${program}. Nothing was sent. Set $VISUAL or $EDITOR.`, { cause })));
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new CliProblem(`The editor exited with code ${code}. Nothing was sent.`))));
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
