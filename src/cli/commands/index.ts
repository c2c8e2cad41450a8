import { setTimeout } from 'node:timers/promises';
import { IndexProgress } from '../../protocol/api/archive.ts';
import { safeJson } from '../../protocol/odd-characters.ts';
import { type Api, openApi } from '../shared/api.ts';
import { type CliCommand, EXIT } from '../shared/command.ts';
import type { CliDeps } from '../shared/deps.ts';
import { printableLine } from '../shared/paint.ts';

/** How often `--wait` checks and prints the progress. */
const EVERY_MS = 500;

export const indexCommand: CliCommand = {
  name: 'index',
  summary: 'Show the progress of indexing past sessions, or rebuild the index',
  help: `
Usage: signalbox index [flags]

Past sessions of all agents are indexed in the background, and again whenever their files
change. Files that couldn't be read are listed with the reason.

  --wait       wait until everything is indexed
  --rebuild    rebuild the session list, search, usage and health; nothing is lost
  --json       print the server's response

Examples:
  signalbox index --wait
  signalbox index --rebuild --wait
`,
  flags: { wait: { type: 'boolean' }, rebuild: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async (deps, given) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    if (given.rebuild === true) await api.ask(IndexProgress, '/api/index/rebuild', { method: 'POST' });
    const progress = given.wait === true ? await waitForEnd(api, deps) : await api.ask(IndexProgress, '/api/index');
    if (given.json === true) deps.stdout.write(`${safeJson(progress)}\n`);
    else deps.stdout.write(`${progressText(progress)}\n${unreadableText(progress)}`);
    return EXIT.ok;
  },
};

async function waitForEnd(api: Api, deps: CliDeps): Promise<IndexProgress> {
  for (;;) {
    const progress = await api.ask(IndexProgress, '/api/index');
    if (progress.phase === 'ready') return progress;
    if (deps.stderr.isTTY === true) deps.stderr.write(`\r${progressText(progress).padEnd(78)}\r`);
    await setTimeout(EVERY_MS);
  }
}

function progressText({ phase, sessions, bytes, secondsLeft }: IndexProgress): string {
  const counted = `${sessions.done} of ${sessions.total} sessions, ${megabytes(bytes.done)} of ${megabytes(bytes.total)}`;
  if (phase === 'ready') return `Up to date: ${sessions.total} past ${sessions.total === 1 ? 'session' : 'sessions'}, ${megabytes(bytes.total)}`;
  if (phase === 'looking') return 'Looking for past sessions';
  return `Indexing: ${counted}${secondsLeft === undefined ? '' : `, about ${Math.ceil(secondsLeft)} s left`}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const unreadableText = ({ unreadable }: IndexProgress): string =>
  unreadable.map(({ path, reason }) => `Couldn't read ${printableLine(path)}: ${printableLine(reason)}\n`).join('');
