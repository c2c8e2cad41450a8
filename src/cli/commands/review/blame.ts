import { resolve } from 'node:path';
import { Blame } from '../../../protocol/api/blame.ts';
import { openApi } from '../../shared/api.ts';
import { type CliCommand, EXIT, UsageProblem } from '../../shared/command.ts';
import { type Paint, paintFor, printableLine } from '../../shared/paint.ts';

export const blameCommand: CliCommand = {
  name: 'blame',
  summary: 'Show which session, turn and approval wrote a line of a file',
  help: `
Usage: signalbox blame <file>:<line> [flags]

Finds the line by its content in what sessions changed: also after it moved, and after a
squash, a rebase or a cherry-pick. "exact" is one call of a tool, "turn" is a command in
that turn, "unknown" is nobody Signalbox knows of; git's own answer follows.

  --json   print the server's response

Examples:
  signalbox blame src/cart.ts:42
  signalbox blame src/cart.ts:42 --json
`,
  flags: { json: { type: 'boolean' } },
  run: async (deps, given, [place, ...more]) => {
    const [, file, line] = /^(.+):([1-9]\d*)$/s.exec(place ?? '') ?? [];
    if (file === undefined || line === undefined || more.length > 0) throw new UsageProblem('name one line of a file, such as src/cart.ts:42');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const blame = await api.ask(Blame, `/api/blame?path=${encodeURIComponent(resolve(deps.cwd, file))}&line=${line}`);
    deps.stdout.write(given.json === true ? `${JSON.stringify(blame)}\n` : blameText(blame, paintFor(deps, deps.stdout)));
    return EXIT.ok;
  },
};

function blameText(blame: Blame, paint: Paint): string {
  const rows = [...(blame.session === undefined ? unknownRows(blame) : sessionRows(blame))];
  const width = Math.max(...rows.map(([name]) => name.length));
  const list = rows.map(([name, value]) => `${paint.dim(name.padEnd(width))}  ${printableLine(value)}\n`);
  return `${paint.bold(printableLine(blame.text))}\n${list.join('')}`;
}

type Row = readonly [string, string];

function sessionRows({ certainty, session, seq, at, call, prompt, approval }: Blame): readonly Row[] {
  return [
    ['written by', certainty === 'exact' ? `a call of ${call?.tool ?? 'a tool'}` : 'a command in this turn'],
    ['session', `${session?.id} ${session?.title} (${session?.agent})`],
    ...(at === undefined ? [] : [['at', `${at}, event ${seq}`] as const]),
    ...(prompt === undefined ? [] : [['prompt', prompt.text] as const]),
    ...(approval === undefined ? [] : [['approval', `${approval.outcome}${approval.by === undefined ? '' : ` by ${approval.by.name}`}`] as const]),
  ];
}

function unknownRows({ commit }: Blame): readonly Row[] {
  const unknown: Row = ['written by', 'unknown'];
  if (commit === undefined) return [unknown];
  return [unknown, ['commit', `${commit.commit.slice(0, 12)} ${commit.summary}`], ['author', `${commit.author}, ${commit.at}`]];
}
