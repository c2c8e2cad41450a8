import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event, EventOf } from '../../src/protocol/event.ts';
import { api } from '../support/client.ts';
import { waitFor } from '../support/wait-for.ts';
import { compareClosed } from './compare/closed.ts';
import { compareLines } from './compare/lines.ts';
import { compareStore } from './compare/store.ts';
import { endAll } from './run-plan.ts';
import { ended, waitUntilSettled } from './settle.ts';
import { type Actor, openSetup, type Setup } from './setup.ts';
import { count, type Tally } from './tally.ts';

const MB = 1024 * 1024;
/** Room for the 64 MB reserve, for as much again in normal operation, and for agent output. */
const DISK_MB = 320;
const RESERVE = 64 * MB;

/** Runs with a data folder on a disk that fills up mid-turn. Lists what went wrong, or says why it was skipped. */
export async function fillSmallDisk(name: string, tally: Tally): Promise<readonly string[] | { readonly skip: string }> {
  const disk = mountSmallDisk();
  if (typeof disk !== 'string') return disk;
  try {
    const setup = await openSetup(name, ['claude', 'stand-in'], join(disk, 'data'));
    try {
      return await runOn(setup, disk, tally);
    } catch (error) {
      return [error instanceof Error ? error.message : String(error), setup.server.log().slice(-3000)];
    } finally {
      await setup.close();
    }
  } finally {
    spawnSync('umount', [disk]);
    rmdirSync(disk);
  }
}

function mountSmallDisk(): string | { readonly skip: string } {
  if (process.getuid?.() !== 0) return { skip: 'a small disk can only be mounted by root' };
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-disk-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'none', folder], { encoding: 'utf8' });
  if (status === 0) return folder;
  rmdirSync(folder);
  return { skip: `a small disk could not be mounted: ${stderr.trim()}` };
}

async function runOn(setup: Setup, disk: string, tally: Tally): Promise<readonly string[]> {
  const problems: string[] = [];
  const reserve = join(setup.server.data, 'reserve');
  const filler = join(disk, 'filler');
  const hasReserve = () => statSync(reserve, { throwIfNoEntry: false })?.size === RESERVE;
  const [claude, fast] = setup.actors as [Actor, Actor];
  await waitFor('the reserve', hasReserve);

  // Another program fills the disk while both are in a turn.
  const first = [setup.browser.send(claude.id, '@SLOW disk-one 12'), setup.browser.send(fast.id, 'pace 8000 200')];
  await setup.model.arrived('disk-one', 1);
  await waitFor('both turns', () => setup.actors.every(({ id }) => setup.browser.events(id).some((event) => event.type === 'turn.started')), 30_000);
  fill(filler, freeBytes(disk) - RESERVE + 4 * MB);
  count(tally, 'disks filled by others');
  for (const actor of setup.actors) await waitUntilSettled(setup, actor, 'allow');
  problems.push(...(await notInterrupted(setup, first)));
  if ((await refusalOf(setup, fast)) !== 'disk-low') problems.push('a message was accepted with a full disk');
  await setup.server.restart();
  if ((await refusalOf(setup, fast)) !== 'disk-low') problems.push('the next server accepted a message with a full disk');
  fill(filler, freeBytes(disk));
  rmSync(filler);
  await waitFor('the reserve again', hasReserve);
  await setup.model.open('disk-one');
  problems.push(...(await answersAgain(setup)));

  // The agent itself fills the disk, faster than it can be checked.
  fill(filler, freeBytes(disk) - RESERVE - 16 * MB);
  const flood = setup.browser.send(fast.id, 'flood 1500000');
  count(tally, 'disks filled by an agent');
  await waitUntilSettled(setup, fast, 'allow');
  problems.push(...(await checkLossReported(setup, fast, flood)));
  rmSync(filler);
  problems.push(...(await answersAgain(setup)));

  await endAll(setup);
  for (const actor of setup.actors) {
    const events = await ended(setup, actor);
    problems.push(...compareClosed(events, tally), ...(await compareLines(setup, actor, events, tally)), ...(await compareStore(setup, actor, events, tally)));
  }
  return problems;
}

const freeBytes = (disk: string): number => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};

/** Writes `bytes` bytes, or until the disk is full. */
function fill(path: string, bytes: number): void {
  const block = Buffer.alloc(MB, 'x');
  const file = openSync(path, 'a');
  try {
    for (let left = bytes; left > 0; ) left -= writeSync(file, block, 0, Math.min(left, block.length));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(file);
  }
}

async function refusalOf(setup: Setup, actor: Actor): Promise<string | undefined> {
  const answer = await api<{ error?: { code: string } }>(setup.server, 'POST', `/api/sessions/${actor.id}/input`, { text: 'flood 1' });
  return answer.body.error?.code;
}

async function notInterrupted(setup: Setup, commandIds: readonly string[]): Promise<readonly string[]> {
  const ends = await Promise.all(setup.actors.map(async ({ id }, at) => endOf(await setup.events(id), commandIds[at] ?? '')));
  return ends.flatMap((end, at) => (end?.interrupted === true ? [] : [`the turn of ${commandIds[at]} was not interrupted in time: ${JSON.stringify(end)}`]));
}

function endOf(events: readonly Event[], commandId: string): EventOf<'turn.completed'> | undefined {
  const turn = events.find((event) => event.type === 'turn.started' && event.commandId === commandId);
  return events.find((event): event is EventOf<'turn.completed'> => event.type === 'turn.completed' && event.turnId === turn?.turnId);
}

/** The turn must be interrupted in time, or the journal must report the loss. */
async function checkLossReported(setup: Setup, actor: Actor, commandId: string): Promise<readonly string[]> {
  const events = await setup.events(actor.id);
  const end = endOf(events, commandId);
  const isReported = events.some((event) => event.type === 'output.lost' || event.type === 'unrecognised');
  const dropped = Number(/(\d+) dropped/.exec(end?.result ?? '')?.[1] ?? 0);
  if (end === undefined) return [`the turn of ${commandId} has no end`];
  return end.interrupted || (dropped > 0 && isReported) ? [] : [`the loss on a full disk was not reported: ${JSON.stringify(end)}`];
}

const okOnly = <T extends { readonly status: number }>(answer: T): T | undefined => (answer.status < 400 ? answer : undefined);

async function answersAgain(setup: Setup): Promise<readonly string[]> {
  await waitFor('room to write', () => setup.browser.cockpit.store.getState().phase.name === 'open', 20_000);
  const problems: string[] = [];
  for (const actor of setup.actors) {
    const send = (): Promise<{ status: number; body: { commandId: string } }> =>
      api(setup.server, 'POST', `/api/sessions/${actor.id}/input`, { text: actor.agent === 'stand-in' ? 'flood 5' : '@PLAIN after the flood' });
    const answer = await waitFor(`${actor.agent} to accept a message again`, async () => okOnly(await send()), 20_000);
    await waitUntilSettled(setup, actor, 'allow');
    const end = endOf(await setup.events(actor.id), answer.body.commandId);
    if (end === undefined || end.interrupted || end.isError) problems.push(`${actor.agent} did not answer after space was freed: ${JSON.stringify(end)}`);
  }
  return problems;
}
