import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteJournal } from '../../../src/journal/sqlite/open-journal.ts';
import { isRefusal, type Receipt, type WorkspaceCommand, type WorkspaceCommandOf } from '../../../src/protocol/command.ts';
import { WORKSPACE } from '../../../src/protocol/event.ts';
import type { AgentId, CommandId, RunId, SessionId } from '../../../src/protocol/ids.ts';
import type { RuleBody, RuleId, RuleInUse } from '../../../src/protocol/rule.ts';
import { waitFor } from '../wait-for.ts';
import { ADA, type EngineSetup } from './test-engine.ts';

const EVERYWHERE = { kind: 'everywhere' } as const;
/** Matches the request of the demo agent's `run date`. */
export const ALLOW_DATE: RuleBody = { behavior: 'allow', tool: 'Bash', command: 'date', scope: EVERYWHERE };
export const DENY_DATE: RuleBody = { ...ALLOW_DATE, behavior: 'deny', note: 'look at the clock on the wall' };

/** Creates a session of the demo agent with a first message. */
export async function begin(setup: EngineSetup, prompt: string, cwd = setup.folder): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: 'demo' as AgentId, cwd, options: {}, prompt });
  return sessionId;
}

export async function workspace(setup: EngineSetup, command: WorkspaceCommand): Promise<Receipt> {
  const answer = await setup.engine.workspace(command, ADA);
  if (isRefusal(answer)) throw new Error(`${answer.refused}: ${answer.message}`);
  return answer;
}

type Creation = WorkspaceCommandOf<'rule.create'>;

export const freshCommandId = (): CommandId => randomUUID() as CommandId;

export const creation = (rule: RuleBody, more: Partial<Creation> = {}): Creation => ({
  type: 'rule.create',
  commandId: freshCommandId(),
  ruleId: randomUUID() as RuleId,
  rule,
  ...more,
});

export async function makeRule(setup: EngineSetup, rule: RuleBody, more: Partial<Creation> = {}): Promise<RuleInUse> {
  const command = creation(rule, more);
  await workspace(setup, command);
  return found(setup.engine.rules().find((made) => made.id === command.ruleId));
}

/** Resolves when the request is in the agent's output, even if no engine is reading it. */
export async function waitForRequestInOutput(setup: EngineSetup, id: SessionId, run: RunId): Promise<void> {
  const file = join(setup.dataDir, 'sessions', id, run, 'out.ndjson');
  await waitFor("a request in the agent's output", () => readFileSync(file, 'utf8').includes('"type":"ask"'));
}

/** The disk after a kill between the two transactions: the rule is stored, but not applied to pending requests. */
export async function storeRuleWithoutApplying(setup: EngineSetup, body: RuleBody): Promise<RuleId> {
  await setup.close();
  const journal = openSqliteJournal({ dataDir: setup.dataDir });
  const at = new Date().toISOString();
  const rule = { ...body, id: randomUUID() as RuleId, createdAt: at, createdBy: ADA };
  journal.append({ session: WORKSPACE, after: 0, at, events: [{ type: 'rule.created', actor: ADA, rule }] });
  await journal.sync();
  journal.close();
  return rule.id;
}

export function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('not found');
  return thing;
}
