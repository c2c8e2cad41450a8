import { setTimeout } from 'node:timers/promises';
import { IndexProgress } from '../../protocol/api/archive.ts';
import { type Api, openApi } from '../api.ts';
import { type CliCommand, EXIT } from '../command.ts';
import type { CliDeps } from '../deps.ts';
import { harmlessLine } from '../paint.ts';

/** How often a person who waits is told. */
const EVERY_MS = 500;

export const indexCommand: CliCommand = {
  name: 'index',
  summary: 'Show how far the reading of all past sessions has come, or do it anew',
  help: `
Usage: signalbox index [flags]

Past sessions of all agents are read in the background, and again whenever their files
change. Records that could not be read are listed with the reason.

  --wait       until everything is read
  --rebuild    drop lists, search, usage and health, and make them again; nothing is lost
  --json       the answer of the server

Examples:
  signalbox index --wait
  signalbox index --rebuild --wait
`,
  flags: { wait: { type: 'boolean' }, rebuild: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async (deps, given) => {
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    if (given.rebuild === true) await api.ask(IndexProgress, '/api/index/rebuild', { method: 'POST' });
    const progress = given.wait === true ? await waitForEnd(api, deps) : await api.ask(IndexProgress, '/api/index');
    if (given.json === true) deps.stdout.write(`${JSON.stringify(progress)}\n`);
    else deps.stdout.write(`${progressWords(progress)}\n${unreadableWords(progress)}`);
    return EXIT.ok;
  },
};

async function waitForEnd(api: Api, deps: CliDeps): Promise<IndexProgress> {
  for (;;) {
    const progress = await api.ask(IndexProgress, '/api/index');
    if (progress.phase === 'ready') return progress;
    if (deps.stderr.isTTY === true) deps.stderr.write(`\r${progressWords(progress).padEnd(78)}\r`);
    await setTimeout(EVERY_MS);
  }
}

function progressWords({ phase, sessions, bytes, secondsLeft }: IndexProgress): string {
  const counted = `${sessions.done} of ${sessions.total} sessions, ${megabytes(bytes.done)} of ${megabytes(bytes.total)}`;
  if (phase === 'ready') return `All is read: ${sessions.total} past sessions, ${megabytes(bytes.total)}`;
  if (phase === 'looking') return 'Looking for records';
  return `Reading: ${counted}${secondsLeft === undefined ? '' : `, about ${Math.ceil(secondsLeft)} s left`}`;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const unreadableWords = ({ unreadable }: IndexProgress): string =>
  unreadable.map(({ path, reason }) => `Not read: ${harmlessLine(path)}: ${harmlessLine(reason)}\n`).join('');
