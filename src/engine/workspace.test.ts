import { randomUUID } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine } from '../../test/support/engine/test-engine.ts';
import { printedProblems } from '../../test/support/problems.ts';
import { begin, creation, DATES, freshCommand, house, makeRule } from '../../test/support/rules-bench.ts';
import { AGENTS } from '../agents/index.ts';
import { openHost } from '../host/open-host.ts';
import { rebuildJournal } from '../journal/rebuild/rebuild.ts';
import { openSqliteJournal } from '../journal/sqlite/open-journal.ts';
import { HOUSE } from '../protocol/event.ts';
import type { AgentId, CommandId } from '../protocol/ids.ts';
import type { RuleId } from '../protocol/rule.ts';
import { refoldWith } from './loop/refold-run.ts';

test('no session may have the id of the house, and no list shows it', async () => {
  const bench = await createEngine();
  await makeRule(bench, DATES);
  const command = { type: 'session.create', sessionId: HOUSE, commandId: freshCommand(), agent: 'demo' as AgentId, cwd: bench.folder, options: {} } as const;
  expect(await bench.engine.submit(command, ADA)).toMatchObject({ refused: 'bad-request', message: expect.stringContaining('_house') });
  expect(await bench.engine.submit({ type: 'session.delete', sessionId: HOUSE, commandId: freshCommand() }, ADA)).toMatchObject({ refused: 'not-found' });
  await bench.reopen();
  expect([bench.engine.session(HOUSE), bench.engine.sessions(), bench.engine.events(HOUSE, { after: 0, limit: 9 })]).toEqual([undefined, [], []]);
  expect(bench.engine.stats().sessions).toBe(0);
  expect(bench.engine.rules()).toHaveLength(1);
});

test('the same command id makes one rule, over restarts too, and is refused for something else', async () => {
  const bench = await createEngine();
  const command = creation(DATES);
  const first = await house(bench, command);
  await bench.reopen();
  expect(await house(bench, command)).toEqual(first);
  expect(await bench.engine.house({ ...command, rule: { ...DATES, command: 'rm' } }, ADA)).toMatchObject({ refused: 'conflict' });
  expect(bench.engine.rules()).toHaveLength(1);
});

test('what is not there cannot be revoked or replaced', async () => {
  const bench = await createEngine();
  const rule = await makeRule(bench, DATES);
  const revoke = () => bench.engine.house({ type: 'rule.revoke', commandId: freshCommand(), ruleId: rule.id }, ADA);
  await revoke();
  expect(await revoke()).toMatchObject({ refused: 'not-found' });
  expect(await bench.engine.house(creation(DATES, { replaces: 'nobody' as RuleId }), ADA)).toMatchObject({ refused: 'not-found' });
  expect(bench.engine.rules()).toEqual([]);
});

test('that tokens came and went is kept, with who did it', async () => {
  const bench = await createEngine();
  await house(bench, { type: 'token.add', commandId: freshCommand(), name: 'vera', role: 'viewer' });
  await house(bench, { type: 'token.revoke', commandId: freshCommand(), name: 'vera' });
  await bench.close();
  const journal = openSqliteJournal({ dataDir: bench.dataDir });
  expect(journal.after(HOUSE, 0, 9)).toMatchObject([
    { type: 'token.added', name: 'vera', role: 'viewer', actor: ADA },
    { type: 'token.revoked', name: 'vera', actor: ADA },
  ]);
  journal.close();
});

test('a damaged journal is rebuilt with its rules, their receipts and their uses', async () => {
  const bench = await createEngine();
  const command = creation(DATES, { commandId: randomUUID() as CommandId });
  await house(bench, command);
  const gone = await makeRule(bench, { ...DATES, command: 'pwd' });
  await house(bench, { type: 'rule.revoke', commandId: freshCommand(), ruleId: gone.id });
  await bench.event(await begin(bench, 'run date'), 'turn.completed');
  const before = bench.engine.rules();
  expect(before).toMatchObject([{ id: command.ruleId, uses: 1 }]);
  await bench.close();

  truncateSync(join(bench.dataDir, 'journal.db'), 100);
  const host = openHost({ problems: printedProblems(), dataDir: bench.dataDir });
  const report = await rebuildJournal({ dataDir: bench.dataDir, refold: refoldWith(new Map(AGENTS.map((agent) => [agent.id, agent]))), now: new Date() });
  await host.close();

  await bench.reopen();
  expect(report).toMatchObject({ sessions: 1, skipped: [] });
  expect(bench.engine.rules()).toEqual(before);
  await house(bench, command);
  expect(bench.engine.rules()).toHaveLength(1);
});
