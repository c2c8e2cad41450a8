import { randomUUID } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALLOW_DATE, begin, creation, freshCommandId, makeRule, workspace } from '../../test/support/engine/rules.ts';
import { ADA, createEngine } from '../../test/support/engine/test-engine.ts';
import { problemsToConsole } from '../../test/support/problems.ts';
import { AGENTS } from '../agents/index.ts';
import { openHost } from '../host/open-host.ts';
import { rebuildJournal } from '../journal/rebuild/rebuild.ts';
import { openSqliteJournal } from '../journal/sqlite/open-journal.ts';
import { WORKSPACE } from '../protocol/event.ts';
import type { AgentId, CommandId } from '../protocol/ids.ts';
import type { RuleId } from '../protocol/rule.ts';
import { refoldWith } from './rebuild/refold-run.ts';

test('no session can have the workspace’s id, and no list shows the workspace', async () => {
  const setup = await createEngine();
  await makeRule(setup, ALLOW_DATE);
  const command = {
    type: 'session.create',
    sessionId: WORKSPACE,
    commandId: freshCommandId(),
    agent: 'demo' as AgentId,
    cwd: setup.folder,
    options: {},
  } as const;
  expect(await setup.engine.submit(command, ADA)).toMatchObject({ refused: 'bad-request', message: expect.stringContaining('reserved') });
  expect(await setup.engine.submit({ type: 'session.delete', sessionId: WORKSPACE, commandId: freshCommandId() }, ADA)).toMatchObject({ refused: 'not-found' });
  await setup.reopen();
  expect([setup.engine.session(WORKSPACE), setup.engine.sessions(), setup.engine.events(WORKSPACE, { after: 0, limit: 9 })]).toEqual([undefined, [], []]);
  expect(setup.engine.stats().sessions).toBe(0);
  expect(setup.engine.rules()).toHaveLength(1);
});

test('a command id creates one rule, also across restarts, and is refused for different content', async () => {
  const setup = await createEngine();
  const command = creation(ALLOW_DATE);
  const first = await workspace(setup, command);
  await setup.reopen();
  expect(await workspace(setup, command)).toEqual(first);
  expect(await setup.engine.workspace({ ...command, rule: { ...ALLOW_DATE, command: 'rm' } }, ADA)).toMatchObject({ refused: 'conflict' });
  expect(setup.engine.rules()).toHaveLength(1);
});

test('a rule that does not exist cannot be revoked or replaced', async () => {
  const setup = await createEngine();
  const rule = await makeRule(setup, ALLOW_DATE);
  const revoke = () => setup.engine.workspace({ type: 'rule.revoke', commandId: freshCommandId(), ruleId: rule.id }, ADA);
  await revoke();
  expect(await revoke()).toMatchObject({ refused: 'not-found' });
  expect(await setup.engine.workspace(creation(ALLOW_DATE, { replaces: 'nobody' as RuleId }), ADA)).toMatchObject({ refused: 'not-found' });
  expect(setup.engine.rules()).toEqual([]);
});

test('tokens created and revoked are stored with the person who did it', async () => {
  const setup = await createEngine();
  await workspace(setup, { type: 'token.add', commandId: freshCommandId(), name: 'vera', role: 'viewer' });
  await workspace(setup, { type: 'token.revoke', commandId: freshCommandId(), name: 'vera' });
  await setup.close();
  const journal = openSqliteJournal({ dataDir: setup.dataDir });
  expect(journal.after(WORKSPACE, 0, 9)).toMatchObject([
    { type: 'token.added', name: 'vera', role: 'viewer', actor: ADA },
    { type: 'token.revoked', name: 'vera', actor: ADA },
  ]);
  journal.close();
});

test('a rebuilt journal has its rules, their receipts and their uses', async () => {
  const setup = await createEngine();
  const command = creation(ALLOW_DATE, { commandId: randomUUID() as CommandId });
  await workspace(setup, command);
  const gone = await makeRule(setup, { ...ALLOW_DATE, command: 'pwd' });
  await workspace(setup, { type: 'rule.revoke', commandId: freshCommandId(), ruleId: gone.id });
  await setup.event(await begin(setup, 'run date'), 'turn.completed');
  const before = setup.engine.rules();
  expect(before).toMatchObject([{ id: command.ruleId, uses: 1 }]);
  await setup.close();

  truncateSync(join(setup.dataDir, 'journal.db'), 100);
  const host = openHost({ problems: problemsToConsole(), dataDir: setup.dataDir });
  const report = await rebuildJournal({ dataDir: setup.dataDir, refold: refoldWith(new Map(AGENTS.map((agent) => [agent.id, agent]))), now: new Date() });
  await host.close();

  await setup.reopen();
  expect(report).toMatchObject({ sessions: 1, skipped: [] });
  expect(setup.engine.rules()).toEqual(before);
  await workspace(setup, command);
  expect(setup.engine.rules()).toHaveLength(1);
});
