import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Keeper } from '../../src/archive/keep/keep.ts';
import { openKeeper } from '../../src/archive/keep/open-keeper.ts';
import { claudePath, piPath } from '../support/agents/agent-clis.ts';
import { claudeEnv } from '../support/agents/claude-setup.ts';
import { piEnv, program, writeConfig } from '../support/agents/pi-setup.ts';
import { idOfSession, seenRecord } from '../support/archive/seen-record.ts';
import { startScriptedModel } from '../support/scripted-model/model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';

/** An agent's CLI as a person uses it in a terminal, with nothing of ours in between. */
interface Terminal {
  /** The folder of its records. */
  readonly root: string;
  say(text: string, ...more: readonly string[]): Promise<string>;
}

for (const version of ['2.1.197', '2.1.325'] as const) {
  test(`a Claude Code ${version} session that was deleted by hand is restored, and its CLI continues it`, async ({ skip }) => {
    const claude = claudePath(version);
    if ('skip' in claude) return skip(claude.skip);
    const home = realpathSync(temporaryFolder('keep-live'));
    const model = await startScriptedModel();
    try {
      const terminal = terminalOf(claude.path, home, claudeEnv(claude.path, model.url), join(home, '.claude/projects'));
      await terminal.say('remember the word trumpet');
      const id = sessionIn(terminal.root);
      await terminal.say('@SUBAGENT', '--resume', id);
      const answer = deleteAndRestore(home, terminal.root);
      expect(answer.paths.filter((path) => path.endsWith('.meta.json'))).toHaveLength(1);
      expect(answer.paths.filter((path) => path.includes('/subagents/'))).toHaveLength(2);
      expect(await terminal.say('@PLAIN and which word was it?', '--resume', id)).toContain('Plain answer to: and which word was it?');
      expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('remember the word trumpet');
      expect(recordsBelow(terminal.root).filter((path) => !path.includes('/subagents/'))).toEqual([expect.stringContaining(id)]);
    } finally {
      await model.close();
    }
  });
}

for (const version of ['2.1.197', '2.1.325'] as const) {
  test(`a restored session survives when Claude Code ${version} cleans up old ones`, async ({ skip }) => {
    const claude = claudePath(version);
    if ('skip' in claude) return skip(claude.skip);
    const home = realpathSync(temporaryFolder('keep-live'));
    const model = await startScriptedModel();
    try {
      const env = claudeEnv(claude.path, model.url);
      const terminal = terminalOf(claude.path, home, env, join(home, '.claude/projects'));
      await terminal.say('remember the word trumpet');
      const [restored = ''] = recordsBelow(terminal.root);
      makeOld(restored);
      deleteAndRestore(home, terminal.root);
      const other = restored.replace(/[^/]*$/, '11111111-2222-4222-8222-333333333333.jsonl');
      writeFileSync(other, '{"type":"user"}\n');
      makeOld(other);
      await whileRunning(claude.path, home, env, () =>
        waitFor('the old record to be deleted', () => !existsSync(other) && existsSync(join(home, '.claude/.last-cleanup')), CLEANUP_LIMIT_MS),
      );
      expect(existsSync(restored)).toBe(true);
    } finally {
      await model.close();
    }
  });
}

for (const version of ['0.73.1', '0.87.1'] as const) {
  test(`a Pi ${version} session that was deleted by hand is restored, and its CLI continues it`, async ({ skip }) => {
    const pi = piPath(version);
    if ('skip' in pi) return skip(pi.skip);
    const home = realpathSync(temporaryFolder('keep-live'));
    const model = await startScriptedModel();
    try {
      writeConfig(home, model.url);
      const path = program(home, pi);
      const terminal = terminalOf(path, home, piEnv(path, home), join(home, 'sessions'));
      await terminal.say('remember the word trumpet');
      const [record] = recordsBelow(terminal.root);
      deleteAndRestore(home, terminal.root);
      expect(await terminal.say('and which word was it?', '--session', record!)).toContain('Plain answer to: and which word was it?');
      expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('remember the word trumpet');
      expect(recordsBelow(terminal.root)).toEqual([record]);
    } finally {
      await model.close();
    }
  });
}

function terminalOf(executable: string, home: string, env: Readonly<Record<string, string>>, root: string): Terminal {
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const fullEnv = { PATH: process.env.PATH ?? '', HOME: home, ...env };
  return {
    root,
    say: async (text, ...more) => {
      const running = promisify(execFile)(executable, ['-p', text, ...more], { cwd, env: fullEnv });
      running.child.stdin?.end();
      return (await running).stdout;
    },
  };
}

// Observed 12 to 15 s after the start, with 2.1.197 and 2.1.325.
const CLEANUP_LIMIT_MS = 90_000;
const FORTY_DAYS_S = 40 * 24 * 60 * 60;

function makeOld(path: string): void {
  const when = Date.now() / 1000 - FORTY_DAYS_S;
  utimesSync(path, when, when);
}

/** Runs `work` while a CLI waits for input. */
async function whileRunning(executable: string, home: string, env: Readonly<Record<string, string>>, work: () => Promise<unknown>): Promise<void> {
  const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const fullEnv = { PATH: process.env.PATH ?? '', HOME: home, ...env };
  const child = spawn(executable, args, { cwd: join(home, 'project'), env: fullEnv, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: '@PLAIN hello' } })}\n`);
    await work();
  } finally {
    child.kill();
    await ended;
  }
}

type Restored = ReturnType<Keeper['restore']>;

/** Copies all records like the archive does, deletes the agent's folder, and restores it. */
function deleteAndRestore(home: string, root: string): Restored {
  const keeper = openKeeper({ dataDir: join(home, 'data'), roots: () => [root], mayWrite: () => true, now: () => Date.now() + 60_000 });
  for (const [index, path] of recordsBelow(root).entries()) keeper.seen(seenRecord(root, relative(root, path), index + 1, partOf(root, path)));
  while (keeper.step());
  const before = contentsOf(root);
  rmSync(root, { recursive: true });
  const answer = keeper.restore(idOfSession('the one'));
  expect(contentsOf(root)).toEqual(before);
  keeper.close();
  return answer;
}

const partOf = (root: string, path: string) => ({
  session: 'the one',
  ...(path.includes('/subagents/') && { companion: relative(root, path).replace(/\.jsonl$/, '.meta.json') }),
});

const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const recordsBelow = (root: string): readonly string[] => filesBelow(root).filter((path) => path.endsWith('.jsonl'));

const contentsOf = (root: string): Readonly<Record<string, string>> => Object.fromEntries(filesBelow(root).map((path) => [path, readFileSync(path, 'utf8')]));

const sessionIn = (root: string): string => /([0-9a-f-]{36})\.jsonl$/.exec(recordsBelow(root)[0] ?? '')?.[1] ?? '';
