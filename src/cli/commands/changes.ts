import { type ChangedFile, SessionChanges } from '../../protocol/api/changes.ts';
import { openApi } from '../api.ts';
import { type CliCommand, EXIT, UsageProblem } from '../command.ts';
import { harmless, harmlessLine, type Paint, paintFor } from '../paint.ts';

export const changesCommand: CliCommand = {
  name: 'changes',
  summary: 'What the tools of a session changed',
  help: `
Usage: signalbox changes <session> [file] [flags]

Files with the lines that came and went, as the agent's own tools told it; edits of one file
are put together. With a file, how it differs.

  -p, --patch   how each file differs
  --json        one JSON object a line

Examples:
  signalbox changes 3kf9
  signalbox changes 3kf9 src/main.ts
`,
  flags: { patch: { type: 'boolean', short: 'p' }, json: { type: 'boolean' } },
  run: async (deps, given, [id, path, ...more]) => {
    if (id === undefined || more.length > 0) throw new UsageProblem('Name one session, and a file if you like; "signalbox ls" shows sessions');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const ask = (file?: string) =>
      api.ask(SessionChanges, `/api/sessions/${encodeURIComponent(id)}/changes${file === undefined ? '' : `?path=${encodeURIComponent(file)}`}`);
    const { changes, additions, deletions } = await ask(path);
    const paint = paintFor(deps, deps.stdout);
    const hasPatch = path !== undefined || given.patch === true;
    for (const file of changes) {
      // A patch that did not fit with all others is asked for alone.
      const whole = hasPatch && file.patch === undefined ? ((await ask(file.path)).changes[0] ?? file) : file;
      deps.stdout.write(given.json === true ? `${JSON.stringify(whole)}\n` : fileText(whole, hasPatch, paint));
    }
    if (changes.length === 0) deps.stderr.write('No tool has told that it changed a file.\n');
    else if (given.json !== true) deps.stderr.write(`${changes.length} files, +${additions} -${deletions}\n`);
    return EXIT.ok;
  },
};

function fileText({ path, kind, additions, deletions, patch = '' }: ChangedFile, hasPatch: boolean, paint: Paint): string {
  const head = `${paint.bold(harmlessLine(path))} ${kind} ${paint.green(`+${additions}`)} ${paint.red(`-${deletions}`)}\n`;
  return hasPatch
    ? `${head}${patch
        .split('\n')
        .map((line) => lineText(line, paint))
        .join('\n')}\n`
    : head;
}

function lineText(line: string, paint: Paint): string {
  const shown = harmless(line);
  if (line.startsWith('@@')) return paint.dim(shown);
  if (line.startsWith('+')) return paint.green(shown);
  return line.startsWith('-') ? paint.red(shown) : shown;
}
