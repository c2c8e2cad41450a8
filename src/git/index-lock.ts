import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Refusal } from '../protocol/command.ts';
import { type GitLocation, runGit } from './run-git.ts';

/** Another git command usually ends within this time. */
const RETRY_MS = 2_000;
const LOOK_MS = 100;

/** Waits a moment for another git command to end; a lock that stays is never deleted, because its owner may be alive. */
export async function waitForIndex(place: GitLocation, retryMs = RETRY_MS): Promise<Refusal | undefined> {
  const path = await lockPath(place);
  const deadline = Date.now() + retryMs;
  for (;;) {
    const ageMs = await lockAge(path);
    if (ageMs === undefined) return undefined;
    if (Date.now() >= deadline) return { refused: 'conflict', message: lockedText(path, ageMs) };
    await wait(LOOK_MS);
  }
}

/** The lock that is there now, described for people. */
export async function lockProblem(place: GitLocation): Promise<string | undefined> {
  const path = await lockPath(place);
  const ageMs = await lockAge(path);
  return ageMs === undefined ? undefined : lockedText(path, ageMs);
}

const lockedText = (path: string, ageMs: number): string =>
  `Another git command is using this repository: ${path} is ${Math.max(0, Math.round(ageMs / 1000))} s old. Try again in a moment. If no git is running, a killed one left it behind: delete it yourself.`;

async function lockAge(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? undefined : Date.now() - found.mtimeMs;
}

async function lockPath(place: GitLocation): Promise<string> {
  const answer = await runGit(place, ['rev-parse', '--path-format=absolute', '--git-path', 'index.lock'], 4096);
  return answer.ok ? answer.out.toString('utf8').trimEnd() : `${place.gitDir}/index.lock`;
}
