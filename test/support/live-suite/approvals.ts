import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answered, type Exchange, order, type Scenario, type ScenarioContext, sendAndFollow } from './exchange.ts';

// Agents consider some commands harmless and don't ask for them. Nearly every agent asks before it changes a file.

/** Permission requests. An agent that never asks must declare that, and must report what it did. */
export function approvalScenarios(scenario: Scenario): void {
  scenario('runs an allowed command and reports its output', async ({ setup, can, say, expectClaimed }) => {
    const exchange = await say('@BASH touch allowed.txt && echo as the model wanted');
    if (can.permissions) {
      const asked = await exchange.event('permission.requested');
      expect(asked.subject).toMatchObject({ kind: 'command', command: expect.stringContaining('touch allowed.txt') });
      expect((await setup.session(exchange.id)).status).toBe('waiting');
      expect(await setup.answer(asked.requestId, 'allow')).toBe(200);
    }
    expect(await answered(exchange)).toMatchObject({ isError: false, denials: 0 });
    expect(await exchange.event('tool.completed')).toMatchObject({ isError: false, output: expect.stringContaining('as the model wanted') });
    if (!can.permissions) await expectNeverAsked(exchange);
    await expectClaimed('permissions');
  });

  scenario('does not do what a person denies', async (context) => {
    const { setup, can } = context;
    const action = actionOf(context, 'denied.txt');
    const exchange = await context.say(action.prompt);
    if (!can.permissions) return expectDoneWithoutAsking(exchange, action);
    const asked = await exchange.event('permission.requested');
    expect(asked.subject).toMatchObject(action.subject);
    expect(await setup.answer(asked.requestId, 'deny', { message: 'not this file' })).toBe(200);
    await answered(exchange);
    expect(existsSync(action.path)).toBe(false);
    expect(await exchange.event('permission.resolved')).toMatchObject({ requestId: asked.requestId, outcome: 'denied' });
    expect(await exchange.event('tool.completed')).toMatchObject({ isError: true });
  });

  scenario('is interrupted during a pending request, which is closed with the turn', async (context) => {
    const { setup, can } = context;
    const action = actionOf(context, 'never.txt');
    const exchange = await context.say(action.prompt);
    if (!can.permissions) return expectDoneWithoutAsking(exchange, action);
    const asked = await exchange.event('permission.requested');
    const { pid } = await setup.session(exchange.id);
    expect((await order(setup, exchange.id, 'interrupt')).status).toBe(202);
    expect(await answered(exchange)).toMatchObject({ interrupted: true });
    expect(await exchange.event('permission.resolved')).toMatchObject({ requestId: asked.requestId, outcome: 'cancelled' });
    expect(await setup.answer(asked.requestId, 'allow')).toBe(409);
    expect(existsSync(action.path)).toBe(false);
    expect((await setup.session(exchange.id)).pid).toBe(pid);
  });

  scenario('a request that was pending when the server was killed can be answered afterwards, and is carried out', async (context) => {
    const { setup, can } = context;
    const action = actionOf(context, 'survived.txt');
    const exchange = await context.say(action.prompt);
    if (!can.permissions) return expectDoneAfterRestart(context, exchange, action);
    const asked = await exchange.event('permission.requested');
    await setup.server.restart();
    expect((await setup.session(exchange.id)).status).toBe('waiting');
    expect(await setup.answer(asked.requestId, 'allow')).toBe(200);
    expect(await answered(exchange)).toMatchObject({ isError: false });
    expect(readFileSync(action.path, 'utf8').trimEnd()).toBe(action.text);
    expect(await exchange.event('tool.completed')).toMatchObject({ isError: false, ...action.report });
    expect(await setup.answer(asked.requestId, 'deny')).toBe(409);
  });
}

/** An action that leaves a file and needs approval: an edit or, for an agent that only asks for commands, a command. */
interface Action {
  readonly prompt: string;
  readonly path: string;
  readonly text: string;
  readonly subject: object;
  /** Part of the event that reports it as done. */
  readonly report: object;
}

function actionOf({ agent, setup }: ScenarioContext, name: string): Action {
  const path = join(setup.server.project, name);
  const command = `touch ${name}`;
  if (agent.asksForCommandsOnly) return { prompt: `@BASH ${command}`, path, text: '', subject: { kind: 'command', command }, report: {} };
  const report = agent.mayMissChanges ? {} : { change: { kind: 'create', path } };
  return { prompt: `@WRITE ${name} text`, path, text: 'text', subject: { kind: 'edit', paths: [path] }, report };
}

async function expectDoneWithoutAsking(exchange: Exchange, { path, report }: Action): Promise<void> {
  expect(await answered(exchange)).toMatchObject({ isError: false });
  await expectNeverAsked(exchange);
  expect(existsSync(path)).toBe(true);
  expect(await exchange.event('tool.completed')).toMatchObject({ isError: false, ...report });
}

async function expectDoneAfterRestart({ setup }: ScenarioContext, exchange: Exchange, action: Action): Promise<void> {
  await setup.server.restart();
  await expectDoneWithoutAsking(exchange, action);
  expect(await answered(await sendAndFollow(setup, exchange.id, '@PLAIN after the restart'))).toMatchObject({ isError: false });
}

const expectNeverAsked = async (exchange: Exchange) => expect((await exchange.events()).filter(({ type }) => type === 'permission.requested')).toEqual([]);
