import { expect } from 'vitest';
import type { Event } from '../../../src/protocol/event.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { api } from '../client.ts';
import { isRunning, processesOf } from '../processes.ts';
import { waitFor } from '../wait-for.ts';
import { answered, modelRequestWith, order, type Scenario, type ScenarioContext, sendAndFollow } from './exchange.ts';
import type { LiveSetup } from './live-setup.ts';
import { read } from './messages.ts';

/** What survives a crash. */
export function crashScenarios(scenario: Scenario): void {
  scenario('continues while no server runs, and the next server shows everything once', async ({ setup, say }) => {
    const exchange = await say('@SLOW road 6');
    await setup.model.arrived('road', 1);
    await setup.model.release('road', 2);
    await setup.server.kill9();
    await setup.model.open('road');
    await setup.server.restart();
    expect(await answered(exchange)).toMatchObject({ isError: false, interrupted: false });
    expect(read(await exchange.events())).toEqual([
      ['user.message', '@SLOW road 6'],
      ['assistant.text', 'piece1 piece2 piece3 piece4 piece5 piece6'],
    ]);
  });

  scenario('sleeps, and the next message wakes it with the whole conversation', async (context) => {
    const { setup, can, expectClaimed } = context;
    const before = await context.say('@PLAIN before-it-slept');
    await answered(before);
    const { agentSessionId } = await setup.session(before.id);
    await order(setup, before.id, 'sleep');
    await before.event('session.exited');
    const after = await sendAndFollow(setup, before.id, '@PLAIN after-it-slept');
    expect(await answered(after)).toMatchObject({ isError: false });
    expect((await after.event('run.opened')).mode).toBe(can.resume ? 'resume' : 'new');
    expect((await modelRequestWith(setup, 'after-it-slept')).includes('before-it-slept')).toBe(can.resume);
    expect((await setup.session(before.id)).agentSessionId === agentSessionId).toBe(can.resume);
    expect(read(await after.events())).toHaveLength(2);
    await expectClaimed('resume');
  });

  scenario('is killed mid-text: its turn ends with the reason, and the next message continues', async (context) => {
    const { setup, can } = context;
    const lost = await context.say('@SLOW death 50');
    await setup.model.arrived('death', 1);
    await lost.event('turn.started');
    await setup.killAgent(lost.id);
    expect(await answered(lost)).toMatchObject({ interrupted: true, stopReason: 'agent_exited' });
    const after = await sendAndFollow(setup, lost.id, '@PLAIN after-its-death');
    expect(await answered(after)).toMatchObject({ isError: false });
    expect((await after.event('run.opened')).mode).toBe(can.resume ? 'resume' : 'new');
    expect(read(await after.events())).toEqual([
      ['user.message', '@PLAIN after-its-death'],
      ['assistant.text', 'Plain answer to: after-its-death'],
    ]);
    expect((await setup.events(lost.id)).filter((event) => event.type === 'input.delivered' && event.commandId === lost.commandId)).toHaveLength(1);
  });
}

/** Must run last: it leaves nothing running. */
export function stopScenarios(scenario: Scenario): void {
  scenario('is stopped during a command, and no process is left except the server and what serves all sessions', async (context) => {
    const { setup } = context;
    const seconds = `317.${process.pid}`;
    const exchange = await context.say(`@BASH touch stopped.txt && sleep ${seconds}`);
    if (context.can.permissions) await setup.answer((await exchange.event('permission.requested')).requestId, 'allow');
    await waitFor('the command to run', () => isRunning(['sleep', seconds]));
    await stopAll(context);
    await exchange.event('session.exited');
    expect(openCalls(await exchange.events())).toEqual([]);
    await waitFor('the end of all other processes', () => otherProcesses(setup).length === 0);
    expect(isRunning(['sleep', seconds])).toBe(false);
  });
}

/** Queried each time: a process that ends in between must not count as one that stays. */
function otherProcesses({ server, outliving }: LiveSetup): readonly number[] {
  const expectedToStay = new Set([server.pid, ...(outliving?.() ?? [])]);
  return processesOf(server.home).filter((pid) => !expectedToStay.has(pid));
}

async function stopAll({ setup }: ScenarioContext): Promise<void> {
  const { sessions } = (await api<{ sessions: Session[] }>(setup.server, 'GET', '/api/sessions')).body;
  for (const { id, control } of sessions) if (control === 'here') await order(setup, id, 'stop');
}

/** Calls without a result. */
export function openCalls(events: readonly Event[]): readonly string[] {
  const closed = new Set(events.flatMap((event) => (event.type === 'tool.completed' ? [event.toolUseId] : [])));
  return events.flatMap((event) => (event.type === 'tool.started' && !closed.has(event.toolUseId) ? [event.toolUseId] : []));
}
