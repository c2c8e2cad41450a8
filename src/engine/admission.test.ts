import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';

/** A CLI that prints this version and does nothing else. */
function cliOf(version: string, path = join(temporaryFolder('cli'), 'claude')): string {
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && echo "${version} (Claude Code)"\nexit 0\n`, { mode: 0o755 });
  return path;
}

async function create(setup: EngineSetup, agent = 'claude-code'): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: agent as AgentId, cwd: setup.folder, options: { transport: 'dial-in' } });
  return sessionId;
}

test('[R182] a session with dial-in transport is refused with a reason when the CLI does not support it', async () => {
  const newer = await createEngine({ env: { CLAUDE_PATH: cliOf('2.1.121') } });
  await expect(create(newer)).rejects.toThrow(/bad-request: Claude Code 2\.1\.121 cannot dial in.*Leave out `transport`/);
  expect(newer.engine.sessions()).toEqual([]);
  const unknown = await createEngine({ env: { CLAUDE_PATH: cliOf('nightly') } });
  await expect(create(unknown)).rejects.toThrow(/tell whether this Claude Code/);
});

test('dial-in transport is refused for an agent that has only stdin and stdout', async () => {
  await expect(create(await createEngine(), 'demo')).rejects.toThrow('bad-request: Demo agent does not dial in');
});

test('after a CLI update that removes dial-in, the next start fails with the reason', async () => {
  const path = cliOf('2.1.120');
  const setup = await createEngine({ env: { CLAUDE_PATH: path } });
  const id = await create(setup);
  const first = await setup.event(id, 'session.exited');
  cliOf('2.1.197', path);
  await setup.do({ type: 'input.send', sessionId: id, text: 'hello' });
  const notice = await setup.event(id, 'notice.shown', (event) => event.seq > first.seq);
  expect(notice).toMatchObject({ level: 'error', text: expect.stringContaining('Claude Code 2.1.197 cannot dial in') });
});
