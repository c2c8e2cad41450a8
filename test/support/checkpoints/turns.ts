import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCheckpoints } from '../../../src/git/checkpoints.ts';
import { BOUNDS, type CheckpointBounds } from '../../../src/git/side/stage-folder.ts';
import { isRefusal } from '../../../src/protocol/command.ts';
import type { EventOf } from '../../../src/protocol/event.ts';
import type { CommandId, SessionId } from '../../../src/protocol/ids.ts';
import { standIn } from '../agents/stand-in-program.ts';
import { ADA, createEngine, type EngineOptions, type EngineSetup } from '../engine/test-engine.ts';
import { STAND_IN_VARIABLE, standInAdapter } from '../stand-in-adapter/index.ts';
import { waitFor } from '../wait-for.ts';

export const S1 = 's1' as SessionId;
export const AGENT = standInAdapter.id;
/** It asks first and then uses a tool, so that a test decides when the tool starts. */
export const TURN = 'ask;tool 1';

/** How busy the machine is doesn't matter to tests: no checkpoint is left out for taking long. */
export const PATIENT: CheckpointBounds = { ...BOUNDS, ms: 60_000, hardMs: 120_000, firstMs: 600_000 };

/** An engine that makes checkpoints, and a folder with a repository. */
export async function createWithCheckpoints(options: EngineOptions = {}): Promise<EngineSetup & { readonly work: string }> {
  let dataDir = '';
  const openCheckpoints = async () => createCheckpoints(dataDir, PATIENT);
  const setup = await createEngine({ openCheckpoints, adapters: [standInAdapter], env: { [STAND_IN_VARIABLE]: standIn().command }, ...options });
  dataDir = setup.dataDir;
  const work = join(setup.folder, 'work');
  mkdirSync(work);
  return Object.assign(setup, { work });
}

export const shell = (cwd: string, script: string): string =>
  execFileSync('sh', ['-ec', script], { cwd, encoding: 'utf8', env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: cwd } });

export function repository(folder: string): void {
  shell(folder, 'git init -q -b main && git config user.email a@b.c && git config user.name A');
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
  writeFileSync(join(folder, 'b.txt'), 'b\n');
  writeFileSync(join(folder, '.gitignore'), 'ignored\n');
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'sub/c.txt'), 'c\n');
  shell(folder, 'git add -A && git commit -qm start');
}

/** Runs one turn in which a command changes files, as the agent's shell would: after the tool has started and before the turn ends. */
export async function turn(setup: EngineSetup, id: SessionId, cwd: string, change: () => void): Promise<EventOf<'checkpoint.made'>> {
  const count = (type: string) => setup.events(id).filter((event) => event.type === type).length;
  const [turns, made] = [count('turn.completed'), checkpoints(setup, id).length];
  const isNew = setup.engine.session(id) === undefined;
  if (isNew) await setup.do({ type: 'session.create', sessionId: id, agent: AGENT, cwd, options: {}, prompt: TURN });
  else await setup.do({ type: 'input.send', sessionId: id, text: TURN });
  const skipped = count('checkpoint.skipped');
  const request = await waitFor('a request', () => setup.engine.permissions(id)[0]);
  await waitFor('the checkpoint before', () => checkpoints(setup, id).length > made || count('checkpoint.skipped') > skipped);
  change();
  await setup.do({ type: 'permission.answer', sessionId: id, requestId: request.requestId, behavior: 'allow' });
  await waitFor('the end of the turn', () => count('turn.completed') > turns);
  await setup.engine.drain();
  const after = checkpoints(setup, id).at(-1);
  if (after === undefined) throw new Error('There is no checkpoint');
  return after;
}

export const checkpoints = (setup: EngineSetup, id: SessionId): readonly EventOf<'checkpoint.made'>[] =>
  setup.events(id).flatMap((event) => (event.type === 'checkpoint.made' ? [event] : []));

/** Restores files and returns the outcome. */
export async function revert(setup: EngineSetup, id: SessionId, wanted: { to: number; paths?: string[]; force?: string[] }): Promise<EventOf<'revert.done'>> {
  const commandId = `revert-${Math.random()}` as CommandId;
  const receipt = await setup.engine.submit({ type: 'files.revert', sessionId: id, commandId, ...wanted }, ADA);
  if (isRefusal(receipt)) throw new Error(receipt.message);
  return setup.event(id, 'revert.done', (event) => event.commandId === commandId);
}

/** Every file with its mode and content, and every link with its target; without `.git`. */
export function snapshot(folder: string, without: (path: string) => boolean = (path) => path === '.git' || path.startsWith('.git/')): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(names.filter((name) => !without(name)).flatMap((name) => entry(join(folder, name), name)));
}

function entry(path: string, name: string): [string, string][] {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return [[name, `link ${readlinkSync(path)}`]];
  if (!stat.isFile()) return [];
  return [[name, `${(stat.mode & 0o777).toString(8)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`]];
}

/** Everything in the person's repository, byte for byte. */
export const gitBytes = (folder: string): Record<string, string> => snapshot(join(folder, '.git'), () => false);
