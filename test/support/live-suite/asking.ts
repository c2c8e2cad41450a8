import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answered, type Exchange, order, type Scenario, type Stage, sayIn } from './exchange.ts';

// Agents know some commands as harmless and do not ask for them; nearly every one asks before it touches a file.

/** What is asked before it is done. An agent that asks nobody is expected to say so, and to tell what it did. */
export function asking(scenario: Scenario): void {
  scenario('runs a command that was allowed, and tells what it printed', async ({ bench, can, say, expectClaimed }) => {
    const exchange = await say('@BASH touch allowed.txt && echo as the model wanted');
    if (can.permissions) {
      const asked = await exchange.event('permission.requested');
      expect(asked.subject).toMatchObject({ kind: 'command', command: expect.stringContaining('touch allowed.txt') });
      expect((await bench.session(exchange.id)).status).toBe('waiting');
      expect(await bench.answer(asked.requestId, 'allow')).toBe(200);
    }
    expect(await answered(exchange)).toMatchObject({ isError: false, denials: 0 });
    expect(await exchange.event('tool.completed')).toMatchObject({ isError: false, output: expect.stringContaining('as the model wanted') });
    if (!can.permissions) await neverAsked(exchange);
    await expectClaimed('permissions');
  });

  scenario('does not do what a person denies', async (stage) => {
    const { bench, can } = stage;
    const deed = deedOf(stage, 'denied.txt');
    const exchange = await stage.say(deed.prompt);
    if (!can.permissions) return doesItUnasked(exchange, deed);
    const asked = await exchange.event('permission.requested');
    expect(asked.subject).toMatchObject(deed.subject);
    expect(await bench.answer(asked.requestId, 'deny', { message: 'not this file' })).toBe(200);
    await answered(exchange);
    expect(existsSync(deed.path)).toBe(false);
    expect(await exchange.event('permission.resolved')).toMatchObject({ requestId: asked.requestId, outcome: 'denied' });
    expect(await exchange.event('tool.completed')).toMatchObject({ isError: true });
  });

  scenario('is interrupted while a request is open, which is closed with the turn', async (stage) => {
    const { bench, can } = stage;
    const deed = deedOf(stage, 'never.txt');
    const exchange = await stage.say(deed.prompt);
    if (!can.permissions) return doesItUnasked(exchange, deed);
    const asked = await exchange.event('permission.requested');
    const { pid } = await bench.session(exchange.id);
    expect((await order(bench, exchange.id, 'interrupt')).status).toBe(202);
    expect(await answered(exchange)).toMatchObject({ interrupted: true });
    expect(await exchange.event('permission.resolved')).toMatchObject({ requestId: asked.requestId, outcome: 'cancelled' });
    expect(await bench.answer(asked.requestId, 'allow')).toBe(409);
    expect(existsSync(deed.path)).toBe(false);
    expect((await bench.session(exchange.id)).pid).toBe(pid);
  });

  scenario('a request that was open when the server was killed is answered afterwards, and carried out', async (stage) => {
    const { bench, can } = stage;
    const deed = deedOf(stage, 'survived.txt');
    const exchange = await stage.say(deed.prompt);
    if (!can.permissions) return tellsItAfterwards(stage, exchange, deed);
    const asked = await exchange.event('permission.requested');
    await bench.server.restart();
    expect((await bench.session(exchange.id)).status).toBe('waiting');
    expect(await bench.answer(asked.requestId, 'allow')).toBe(200);
    expect(await answered(exchange)).toMatchObject({ isError: false });
    expect(readFileSync(deed.path, 'utf8').trimEnd()).toBe(deed.text);
    expect(await exchange.event('tool.completed')).toMatchObject({ isError: false, ...deed.told });
    expect(await bench.answer(asked.requestId, 'deny')).toBe(409);
  });
}

/** What leaves a file, and is asked for before: an edit, or, of an agent that asks only for those, a command. */
interface Deed {
  readonly prompt: string;
  readonly path: string;
  readonly text: string;
  readonly subject: object;
  /** What is told of it when it is done. */
  readonly told: object;
}

function deedOf({ agent, bench }: Stage, name: string): Deed {
  const path = join(bench.server.project, name);
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

async function tellsItAfterwards({ bench }: Stage, exchange: Exchange, deed: Deed): Promise<void> {
  await bench.server.restart();
  await doesItUnasked(exchange, deed);
  expect(await answered(await sayIn(bench, exchange.id, '@PLAIN after the restart'))).toMatchObject({ isError: false });
}

const neverAsked = async (exchange: Exchange) => expect((await exchange.events()).filter(({ type }) => type === 'permission.requested')).toEqual([]);
