import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../../src/protocol/session.ts';
import type { LiveSetup } from '../live-suite/live-setup.ts';

/** Sessions of the real Claude Code in the states that a page shows. */
export interface ClaudeSessions {
  /** Has thinking, a command, an edit, a subagent, a retry and a refusal by the model. */
  readonly done: string;
  /** Waits for approval of a file. */
  readonly waiting: string;
  /** Waits for an answer to a question. */
  readonly asking: string;
  readonly running: string;
}

/** A person's messages in order; each names a scenario of the scripted model. */
const DAY = [
  '@BASH ls',
  '@EDIT merge.ts all.push(...b) => for (const one of b) all.push(one)',
  '@SUBAGENT',
  '@WRITE notes.md What was found about the merge',
  '@ERROR529 1',
  '@REFUSE',
  '@FULL 120000',
];

export async function recordClaudeSessions(setup: LiveSetup): Promise<ClaudeSessions> {
  const { project } = setup.server;
  writeFileSync(
    join(project, 'merge.ts'),
    'export const merge = (a: number[], b: number[]) => {\n  const all = [...a];\n  all.push(...b);\n  return all;\n};\n',
  );
  git(project, 'init', '-q', '-b', 'main');
  git(project, 'add', '.');
  git(project, 'commit', '-qm', 'first');
  const done = await runDay(setup);
  const waiting = await setup.create('@WRITE release.md The notes of the release', { title: 'Release notes 4.2' });
  const asking = await setup.create('@ASK', { title: 'Port the importer to streams' });
  for (const { id } of [waiting, asking]) await setup.event(id, 'permission.requested');
  const running = await setup.create('@HANG', { title: 'Rotate signing keys without downtime' });
  await setup.event(running.id, 'turn.started');
  return { done: done.id, waiting: waiting.id, asking: asking.id, running: running.id };
}

async function runDay(setup: LiveSetup): Promise<Session> {
  const session = await setup.create('@THINK why the checkout suite fails one run in five', {
    title: 'Flaky test in checkout suite',
    permissionMode: 'acceptEdits',
  });
  await setup.event(session.id, 'turn.completed');
  for (const text of DAY) {
    const commandId = await setup.send(session.id, text);
    const consumed = await setup.event(session.id, 'input.consumed', (event) => event.commandId === commandId);
    await setup.event(session.id, 'turn.completed', (event) => event.seq > consumed.seq);
  }
  return session;
}

const git = (cwd: string, ...args: readonly string[]): Buffer =>
  execFileSync('git', ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org', ...args], { cwd });
