import { CheckpointList, RevertAnswer, type RevertDone, type RevertPreview } from '../../protocol/api/checkpoints.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { type Api, openApi, refuseInsideRun } from '../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, type Given, textOf, UsageProblem } from '../shared/command.ts';
import { findSession } from '../shared/find-session.ts';
import { printableLine } from '../shared/paint.ts';

export const revertCommand: CliCommand = {
  name: 'revert',
  summary: 'Restore files to how they were before a turn, shell edits included',
  help: `
Usage: signalbox revert <session> [flags]

Restores the files that the session's turns changed, from the checkpoint at or before an
event. A file that somebody edited since is left alone unless you force it. The current
files are kept first; the last line says how to undo.

  --to SEQ       the event to go back to; by default, the state before the last turn
  --path FILE    only this file; can be repeated
  --force FILE   restore this file although somebody edited it; can be repeated
  --dry-run      only say what would happen
  --json         print the server's response

Exit code 4 means that some files were left alone.

Examples:
  signalbox revert 3kf9 --dry-run
  signalbox revert 3kf9 --to 120 --path src/main.ts
`,
  flags: {
    to: { type: 'string' },
    path: { type: 'string', multiple: true },
    force: { type: 'string', multiple: true },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (deps, given, [name, ...more]) => {
    if (name === undefined || more.length > 0) throw new UsageProblem('name one session; "signalbox ls" lists sessions');
    const to = toOf(given);
    refuseInsideRun(deps, 'restore files');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const { id } = await findSession(api, name);
    const [paths, force] = [listOf(given, 'path'), listOf(given, 'force')];
    const body = {
      to: to ?? (await beforeLastTurn(api, id)),
      ...(paths.length > 0 && { paths }),
      ...(force.length > 0 && { force }),
      ...(given['dry-run'] === true && { dryRun: true }),
    };
    const answer = await api.ask(RevertAnswer, `/api/sessions/${encodeURIComponent(id)}/revert`, { method: 'POST', body });
    if (given.json === true) deps.stdout.write(`${safeJson(answer)}\n`);
    else deps.stdout.write(answer.dryRun ? previewText(answer) : doneText(answer, id));
    return hasRefused(answer) ? EXIT.refused : EXIT.ok;
  },
};

function toOf(given: Given): number | undefined {
  const text = textOf(given, 'to');
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text)) throw new UsageProblem('--to needs the number of an event');
  return Number(text);
}

const listOf = (given: Given, flag: string): readonly string[] => {
  const value = given[flag];
  return Array.isArray(value) ? value.map(String) : [];
};

async function beforeLastTurn(api: Api, id: string): Promise<number> {
  const { turns } = await api.ask(CheckpointList, `/api/sessions/${encodeURIComponent(id)}/checkpoints`);
  const to = turns.findLast((turn) => turn.to !== undefined)?.to;
  if (to === undefined) throw new CliProblem('This session has no checkpoint to go back to.');
  return to;
}

const hasRefused = (answer: RevertPreview | RevertDone): boolean =>
  answer.dryRun ? answer.files.some((file) => file.selected && file.refused !== undefined) : answer.files.some(({ result }) => result === 'refused');

function previewText({ files, others, late, shared }: RevertPreview): string {
  const lines = files.map(({ path, action, selected, refused }) => {
    const what = refused !== undefined ? `leave alone: ${refused}` : selected ? action : 'not selected';
    return `${printableLine(path)}  ${what}`;
  });
  const cautions = [
    ...(late ? ['The checkpoint is late: it may include part of a tool’s work. Name the files with --path.'] : []),
    ...(shared ? ['Another session worked in this folder too. Name the files with --path.'] : []),
    ...(others.length > 0 ? [`${others.length} other changed files are not this session’s.`] : []),
    ...(files.length === 0 ? ['Nothing that this session changed differs from then.'] : []),
  ];
  return `${[...lines, ...cautions].join('\n')}\n`;
}

function doneText({ files, undo }: RevertDone, id: string): string {
  const lines = files.map(({ path, result, why }) => `${printableLine(path)}  ${result}${why === undefined ? '' : `: ${why}`}`);
  const last = undo === undefined ? [] : [`Undo: signalbox revert ${id} --to ${undo.seq}`];
  return `${[...lines, ...last].join('\n')}\n`;
}
