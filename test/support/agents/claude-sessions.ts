import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../../src/protocol/session.ts';
import type { LiveBench } from '../live-suite/bench.ts';

/** Sessions of the real Claude Code in the states that a page shows. */
export interface ClaudeHouse {
  /** Thought, ran a command, changed a file, sent a subagent, tried again, was refused. */
  readonly done: string;
  /** Waits for a file to be allowed. */
  readonly waiting: string;
  /** Waits for an answer to a question. */
  readonly asking: string;
  readonly running: string;
}

/** What a person sends in turn, and what the scripted model makes of it. */
const DAY = [
  '@BASH ls',
  '@EDIT merge.ts all.push(...b) => for (const one of b) all.push(one)',
  '@SUBAGENT',
  '@WRITE notes.md What was found about the merge',
  '@ERROR529 1',
  '@REFUSE',
  '@FULL 120000',
];

export async function furnishWithClaude(bench: LiveBench): Promise<ClaudeHouse> {
  const { project } = bench.server;
  writeFileSync(
    join(project, 'merge.ts'),
    'export const merge = (a: number[], b: number[]) => {\n  const all = [...a];\n  all.push(...b);\n  return all;\n};\n',
  );
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'add', '.');
  git(project, 'commit', '-qm', 'first');
  const done = await wholeDay(bench);
  const waiting = await bench.create('@WRITE release.md The notes of the release', { title: 'Release notes 4.2' });
  const asking = await bench.create('@ASK', { title: 'Port the importer to streams' });
  for (const { id } of [waiting, asking]) await bench.event(id, 'permission.requested');
  const running = await bench.create('@HANG', { title: 'Rotate signing keys without downtime' });
  await bench.event(running.id, 'turn.started');
  return { done: done.id, waiting: waiting.id, asking: asking.id, running: running.id };
}

async function wholeDay(bench: LiveBench): Promise<Session> {
  const session = await bench.create('@THINK why the checkout suite fails one run in five', {
    title: 'Flaky test in checkout suite',
    permissionMode: 'acceptEdits',
  });
  await bench.event(session.id, 'turn.completed');
  for (const text of DAY) {
    const commandId = await bench.send(session.id, text);
    const taken = await bench.event(session.id, 'input.consumed', (event) => event.commandId === commandId);
    await bench.event(session.id, 'turn.completed', (event) => event.seq > taken.seq);
  }
  return session;
}

const git = (cwd: string, ...args: readonly string[]): Buffer =>
  execFileSync('git', ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org', ...args], { cwd });
