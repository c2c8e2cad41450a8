import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answered, type Exchange, order, type Scenario, type ScenarioContext, sendAndFollow } from './exchange.ts';

// Agents know some commands as harmless and don't ask for them; nearly every agent asks before it changes a file.

/** Requests for approval. An agent that never asks must say so, and must report what it did. */
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
    if (!can.permissions) await neverAsked(exchange);
    await expectClaimed('permissions');
  });

  scenario('does not do what a person denies', async (context) => {
    const { setup, can } = context;
    const deed = deedOf(context, 'denied.txt');
    const exchange = await context.say(deed.prompt);
    if (!can.permissions) return doesItUnasked(exchange, deed);
    const asked = await exchange.event('permission.requested');
    expect(asked.subject).toMatchObject(deed.subject);
    expect(await setup.answer(asked.requestId, 'deny', { message: 'not this file' })).toBe(200);
    await answered(exchange);
    expect(existsSync(deed.path)).toBe(false);
    expect(await exchange.event('permission.resolved')).toMatchObject({ requestId: asked.requestId, outcome: 'denied' });
    expect(await exchange.event('tool.completed')).toMatchObject({ isError: true });
  });

  scenario('is interrupted during a pending request, which is closed with the turn', async (context) => {
    const { setup, can } = context;
    const deed = deedOf(context, 'never.txt');
    const exchange = await context.say(deed.prompt);
    if (!can.permissions) return doesItUnasked(exchange, deed);
    const asked = await exchange.event('permission.requested');
    const { pid } = await setup.session(exchange.id);
    expect((await order(setup, exchange.id, 'interrupt')).status).toBe(202);
    expect(await answered(exchange)).toMatchObject({ interrupted: true });
    expect(await exchange.event('permission.resolved')).toMatchObject({ requestId: asked.requestId, outcome: 'cancelled' });
    expect(await setup.answer(asked.requestId, 'allow')).toBe(409);
    expect(existsSync(deed.path)).toBe(false);
    expect((await setup.session(exchange.id)).pid).toBe(pid);
  });

  scenario('a request that was pending when the server was killed can be answered afterwards, and is carried out', async (context) => {
    const { setup, can } = context;
    const deed = deedOf(context, 'survived.txt');
    const exchange = await context.say(deed.prompt);
    if (!can.permissions) return tellsItAfterwards(context, exchange, deed);
    const asked = await exchange.event('permission.requested');
    await setup.server.restart();
    expect((await setup.session(exchange.id)).status).toBe('waiting');
    expect(await setup.answer(asked.requestId, 'allow')).toBe(200);
    expect(await answered(exchange)).toMatchObject({ isError: false });
    expect(readFileSync(deed.path, 'utf8').trimEnd()).toBe(deed.text);
    expect(await exchange.event('tool.completed')).toMatchObject({ isError: false, ...deed.told });
    expect(await setup.answer(asked.requestId, 'deny')).toBe(409);
  });
}

/** An action that leaves a file and needs approval: an edit or, for an agent that only asks for commands, a command. */
interface Deed {
  readonly prompt: string;
  readonly path: string;
  readonly text: string;
  readonly subject: object;
  /** What is reported when it is done. */
  readonly told: object;
}

function deedOf({ agent, setup }: ScenarioContext, name: string): Deed {
  const path = join(setup.server.project, name);
  const command = `touch ${name}`;
  if (agent.asksForCommandsOnly) return { prompt: `@BASH ${command}`, path, text: '', subject: { kind: 'command', command }, told: {} };
  const told = agent.mayMissChanges ? {} : { change: { kind: 'create', path } };
  return { prompt: `@WRITE ${name} text`, path, text: 'text', subject: { kind: 'edit', paths: [path] }, told };
}

async function doesItUnasked(exchange: Exchange, { path, told }: Deed): Promise<void> {
  expect(await answered(exchange)).toMatchObject({ isError: false });
  await neverAsked(exchange);
  expect(existsSync(path)).toBe(true);
  expect(await exchange.event('tool.completed')).toMatchObject({ isError: false, ...told });
}

async function tellsItAfterwards({ setup }: ScenarioContext, exchange: Exchange, deed: Deed): Promise<void> {
  await setup.server.restart();
  await doesItUnasked(exchange, deed);
  expect(await answered(await sendAndFollow(setup, exchange.id, '@PLAIN after the restart'))).toMatchObject({ isError: false });
}

const neverAsked = async (exchange: Exchange) => expect((await exchange.events()).filter(({ type }) => type === 'permission.requested')).toEqual([]);
