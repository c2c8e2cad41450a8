import { type ChangedFile, SessionChanges } from '../../protocol/api/changes.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, EXIT, UsageProblem } from '../shared/command.ts';
import { findSession } from '../shared/find-session.ts';
import { type Paint, paintFor, printable, printableLine } from '../shared/paint.ts';

export const changesCommand: CliCommand = {
  name: 'changes',
  summary: "Show the files a session's agent edited",
  help: `
Usage: signalbox changes <session> [file] [flags]

Lists the files that the agent's tools reported as edited, with lines added and removed;
all edits to a file are combined. With a file, prints its patch.

  -p, --patch   print the patch of every file
  --json        print one JSON object per line

Examples:
  signalbox changes 3kf9
  signalbox changes 3kf9 src/main.ts
`,
  flags: { patch: { type: 'boolean', short: 'p' }, json: { type: 'boolean' } },
  run: async (deps, given, [id, path, ...more]) => {
    if (id === undefined || more.length > 0) throw new UsageProblem('name one session and, optionally, one file; "signalbox ls" lists sessions');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const session = await findSession(api, id);
    const ask = (file?: string) =>
      api.ask(SessionChanges, `/api/sessions/${encodeURIComponent(session.id)}/changes${file === undefined ? '' : `?path=${encodeURIComponent(file)}`}`);
    const { changes, additions, deletions } = await ask(path);
    const paint = paintFor(deps, deps.stdout);
    const hasPatch = path !== undefined || given.patch === true;
    for (const file of changes) {
      // The server leaves out patches when all of them together are too large: fetch those one by one.
      const complete = hasPatch && file.patch === undefined ? ((await ask(file.path)).changes[0] ?? file) : file;
      deps.stdout.write(given.json === true ? `${safeJson(complete)}\n` : fileText(complete, hasPatch, paint));
    }
    if (changes.length === 0) deps.stderr.write('No edited files.\n');
    else if (given.json !== true) deps.stderr.write(`${changes.length} ${changes.length === 1 ? 'file' : 'files'}, +${additions} -${deletions}\n`);
    return EXIT.ok;
  },
};

function fileText({ path, kind, additions, deletions, patch = '' }: ChangedFile, hasPatch: boolean, paint: Paint): string {
  const head = `${paint.bold(printableLine(path))} ${kind} ${paint.green(`+${additions}`)} ${paint.red(`-${deletions}`)}\n`;
  return hasPatch
    ? `${head}${patch
        .split('\n')
        .map((line) => lineText(line, paint))
        .join('\n')}\n`
    : head;
}

function lineText(line: string, paint: Paint): string {
  const shown = printable(line);
  if (line.startsWith('@@')) return paint.dim(shown);
  if (line.startsWith('+')) return paint.green(shown);
  return line.startsWith('-') ? paint.red(shown) : shown;
}
