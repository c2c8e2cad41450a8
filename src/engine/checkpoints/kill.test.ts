import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { standIn } from '../../../test/support/agents/stand-in-program.ts';
import { AGENT, gitBytes, repository, S1, snapshot, TURN } from '../../../test/support/checkpoints/turns.ts';
import { type EngineProcess, startEngine } from '../../../test/support/engine/engine-process.ts';
import { endProcessesOf } from '../../../test/support/processes.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { STAND_IN_VARIABLE } from '../../../test/support/stand-in-adapter/index.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { Command } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';

const SEEDS = proofCount(2);
/** Longer than a checkpoint or a revert takes here. */
const SPAN_MS = 350;

test(`[R314] SIGKILL of the server or of git at any moment of a checkpoint or a revert loses no byte and leaves nothing behind (${SEEDS} seeds)`, async () => {
  const setup = new KillSetup();
  await setup.open();
  for (let seed = 1; seed <= SEEDS; seed++) {
    await setup.round(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    });
  }
});

class KillSetup {
  readonly folder = realpathSync(temporaryFolder('kills'));
  readonly work = join(this.folder, 'work');
  readonly data = join(this.folder, 'data');
  readonly home = join(this.folder, 'home');
  private engine: EngineProcess | undefined;
  private readonly git: Record<string, string>;

  constructor() {
    for (const path of [this.work, this.home]) mkdirSync(path);
    repository(this.work);
    this.git = gitBytes(this.work);
    onTestFinished(async () => {
      await this.engine?.kill9();
      await endProcessesOf(this.home);
    });
  }

  async open(): Promise<void> {
    this.engine = await startEngine(this.data, this.home, this.folder, { [STAND_IN_VARIABLE]: standIn().command });
  }

  /** One turn and one revert, each cut at a moment that the seed chooses; then everything must be as if nothing had happened. */
  async round(seed: number): Promise<void> {
    const random = seeded(seed);
    const start = snapshot(this.work);
    const known = (await this.events()).length;
    if (known === 0) await this.do({ type: 'session.create', agent: AGENT, cwd: this.work, options: {}, prompt: TURN });
    else await this.do({ type: 'input.send', text: TURN });
    const isKilled = await this.cut(random);
    const asked = await waitFor('a request', async () => (await this.events()).findLast((event) => event.seq > known && event.type === 'permission.requested'));
    // A checkpoint before a turn that a killed server did not finish is not made later: it would no longer be before.
    const isKept = async () => (await this.since(known, 'checkpoint.made')) + (await this.since(known, 'checkpoint.skipped')) > 0;
    if (!isKilled) await waitFor('the checkpoint before', isKept);
    this.edit(random);
    const edited = snapshot(this.work);
    if (asked.type === 'permission.requested') await this.do({ type: 'permission.answer', requestId: asked.requestId, behavior: 'allow' });
    await this.cut(random);
    await waitFor('the end of the turn', async () => (await this.since(known, 'turn.completed')) > 0);
    await this.settled(known);
    expect(snapshot(this.work)).toEqual(edited);
    await this.check();
    const before = (await this.events()).find((event) => event.seq > known && event.type === 'checkpoint.made');
    if (before?.type !== 'checkpoint.made' || before.when !== 'before') return;
    const all = Object.keys({ ...start, ...edited }).filter((path) => start[path] !== edited[path]);
    await this.revert(before.seq, all, random);
    expect(snapshot(this.work)).toEqual(start);
    await this.check();
  }

  /** Forced, because a checkpoint after the turn may have been cut: then nobody knows whose edits these are. */
  private async revert(to: number, paths: string[], random: () => number): Promise<void> {
    if (paths.length === 0) return;
    const command = { commandId: randomUUID() as CommandId, type: 'files.revert', to, paths, force: paths } as const;
    this.engine?.say({ submit: { sessionId: S1, ...command } });
    await this.cut(random);
    await this.do(command);
    const isDone = (event: Event) => event.type === 'revert.done' && event.commandId === command.commandId;
    await waitFor('the end of the revert', async () => (await this.events()).some(isDone));
    const done = (await this.events()).filter(isDone);
    expect(done).toHaveLength(1);
    // If git itself was killed, the revert says that it did nothing, or left files alone; then a person tries again.
    const [last] = done;
    if (last?.type === 'revert.done' && (last.problem !== undefined || last.files.some(({ result }) => result === 'refused')))
      await this.revert(to, paths, () => 2);
  }

  /** Kills the server or a git process, and says whether it was the server; a number above 1 kills nothing. */
  private async cut(random: () => number): Promise<boolean> {
    const [victim, delay] = [random(), random()];
    if (delay > 1) return false;
    await setTimeout(delay * SPAN_MS);
    if (victim < 0.4) for (const pid of this.gits()) kill(pid);
    if (victim < 0.3 || victim > 0.9) return false;
    await this.engine?.kill9();
    if (victim < 0.6) for (const pid of this.gits()) kill(pid);
    await this.open();
    return true;
  }

  private gits(): readonly number[] {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.filter((pid) => cmdline(pid).includes(`--git-dir=${this.data}`)).map(Number);
  }

  private edit(random: () => number): void {
    writeFileSync(join(this.work, 'a.txt'), `${random()}\n`);
    for (let n = 0; n < 20; n++) writeFileSync(join(this.work, 'sub', `made-${n}-${Math.floor(random() * 100)}`), `${random()}`.repeat(500));
  }

  /** The files around the turn are kept, or it was said why not. */
  private settled(known: number): Promise<unknown> {
    const isAfter = (event: Event) =>
      event.seq > known && ((event.type === 'checkpoint.made' && event.when === 'after') || event.type === 'checkpoint.skipped');
    return waitFor('the checkpoint after', async () => (await this.events()).some(isAfter));
  }

  /** Every checkpoint that an event names is there and whole, no other one is, and nothing of ours is left in the person's folder or repository. */
  private async check(): Promise<void> {
    const named = (await this.events()).flatMap((event) =>
      event.type === 'checkpoint.made' ? [`${event.commit} refs/sessions/s1/${event.checkpointId}`] : [],
    );
    const [side = ''] = readdirSync(join(this.data, 'checkpoints')).filter((name) => name.endsWith('.git'));
    const run = (...args: string[]) => execFileSync('git', [`--git-dir=${join(this.data, 'checkpoints', side)}`, ...args], { encoding: 'utf8' });
    const refs = () =>
      run('for-each-ref', '--format=%(objectname) %(refname)', 'refs/sessions')
        .split('\n')
        .filter((line) => line !== '');
    await waitFor('refs that match the events', () => refs().toSorted().join() === named.toSorted().join());
    run('rev-list', '--objects', '--all', '--quiet');
    expect(gitBytes(this.work)).toEqual(this.git);
    expect(Object.keys(snapshot(this.work)).filter((path) => path.includes('.signalbox'))).toEqual([]);
  }

  private events(): Promise<readonly Event[]> {
    return (this.engine as EngineProcess).ask<readonly Event[]>({ events: S1 });
  }

  private since = async (known: number, type: Event['type']): Promise<number> =>
    (await this.events()).filter((event) => event.seq > known && event.type === type).length;

  private async do(command: Record<string, unknown>): Promise<void> {
    const answer = await (this.engine as EngineProcess).ask<object>({ submit: { sessionId: S1, commandId: randomUUID(), ...command } as Command });
    if ('refused' in answer) throw new Error(JSON.stringify(answer));
  }
}

const cmdline = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
};
