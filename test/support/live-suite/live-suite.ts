import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentDescription } from '../../../src/protocol/http.ts';
import { api } from '../client.ts';
import { approvalScenarios } from './approvals.ts';
import { crashScenarios, stopScenarios } from './crashes.ts';
import { type Exchange, type Scenario, type ScenarioContext, sendAndFollow } from './exchange.ts';
import { externalScenarios } from './external-messages.ts';
import type { Ability, LiveAgent } from './live-agent.ts';
import type { LiveSetup } from './live-setup.ts';
import { messageScenarios } from './messages.ts';
import { expectNoDuplicates } from './no-duplicates.ts';

/** The same scenarios for every agent; `own` adds those of this agent, on the same server. An adapter lists a version as verified once this ran with it. */
export function liveSuite<Setup extends LiveSetup>(agent: LiveAgent<Setup>, own: (scenario: Scenario<Setup>) => void = () => undefined): void {
  describeLive(`${agent.title} behind Signalbox`, agent, (scenario) => {
    scenario('is listed with its running version, which is one it is verified with', isVerified);
    for (const define of [messageScenarios, approvalScenarios, crashScenarios, externalScenarios, own, stopScenarios]) define(scenario);
  });
}

/** Scenarios with one server and one agent; after each, everything must have been reported exactly once. */
export function describeLive<Setup extends LiveSetup>(title: string, agent: LiveAgent<Setup>, define: (scenario: Scenario<Setup>) => void): void {
  describe(title, () => {
    let opened: ScenarioContext<Setup> | { readonly skip: string };
    beforeAll(async () => {
      const setup = await agent.open();
      opened = 'skip' in setup ? setup : contextOf(agent, setup);
    });
    afterAll(async () => {
      if ('setup' in opened) await opened.setup.close();
    });
    define((title, run) =>
      test(title, agent.limitMs === undefined ? {} : { timeout: agent.limitMs }, async ({ skip }) => {
        if ('skip' in opened) return skip(opened.skip);
        await run(opened);
        await expectNoDuplicates(opened.setup);
      }));
  });
}

function contextOf<Setup extends LiveSetup>(agent: LiveAgent, setup: Setup): ScenarioContext<Setup> {
  const isAble = (ability: Ability): boolean => agent.cannot?.includes(ability) !== true;
  const can = { permissions: isAble('permissions'), thinking: isAble('thinking'), resume: isAble('resume') };
  let shared: string | undefined;
  const say = async (prompt: string): Promise<Exchange> => {
    const isIdle = shared !== undefined && (await setup.session(shared)).status === 'idle';
    shared = isIdle && shared !== undefined ? shared : (await setup.create()).id;
    return sendAndFollow(setup, shared, prompt);
  };
  const expectClaimed = async (ability: Ability) => expect((await describedAs(agent, setup)).capabilities[ability]).toBe(can[ability]);
  return { agent, setup, can, say, expectClaimed };
}

async function isVerified({ agent, setup, say }: ScenarioContext): Promise<void> {
  expect((await describedAs(agent, setup)).verifiedWith).toContain(agent.version);
  const exchange = await say('@PLAIN which version');
  expect((await setup.event(exchange.id, 'session.started')).version).toBe(agent.version);
  await exchange.event('turn.completed');
}

async function describedAs(agent: LiveAgent, setup: LiveSetup): Promise<AgentDescription> {
  const { agents } = (await api<{ agents: AgentDescription[] }>(setup.server, 'GET', '/api/agents')).body;
  const found = agents.find(({ id }) => id === agent.id) ?? expect.fail(`${agent.id} is not listed`);
  expect(found).toMatchObject({ available: true });
  return found;
}
