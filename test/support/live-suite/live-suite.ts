import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentDescription } from '../../../src/protocol/http.ts';
import { api } from '../client.ts';
import { asking } from './asking.ts';
import type { LiveBench } from './bench.ts';
import { dying, stopping } from './dying.ts';
import { elsewhere } from './elsewhere.ts';
import { type Exchange, type Scenario, type Stage, sayIn } from './exchange.ts';
import type { Ability, LiveAgent } from './live-agent.ts';
import { speaking } from './speaking.ts';
import { expectTold } from './told-once.ts';

/** The same for every agent; `own` adds what only this one has, on the same server. An adapter names a version as verified when this ran with it. */
export function liveSuite<Bench extends LiveBench>(agent: LiveAgent<Bench>, own: (scenario: Scenario<Bench>) => void = () => undefined): void {
  onStage(`${agent.title} behind Signalbox`, agent, (scenario) => {
    scenario('is listed with the version that runs, which is one it is verified with', isVerified);
    for (const tell of [speaking, asking, dying, elsewhere, own, stopping]) tell(scenario);
  });
}

/** Scenarios with one server and one agent; after each of them everything must have been told once. */
export function onStage<Bench extends LiveBench>(title: string, agent: LiveAgent<Bench>, tell: (scenario: Scenario<Bench>) => void): void {
  describe(title, () => {
    let opened: Stage<Bench> | { readonly skip: string };
    beforeAll(async () => {
      const bench = await agent.open();
      opened = 'skip' in bench ? bench : stageOf(agent, bench);
    });
    afterAll(async () => {
      if ('bench' in opened) await opened.bench.close();
    });
    tell((title, play) =>
      test(title, agent.limitMs === undefined ? {} : { timeout: agent.limitMs }, async ({ skip }) => {
        if ('skip' in opened) return skip(opened.skip);
        await play(opened);
        await expectTold(opened.bench);
      }),
    );
  });
}

function stageOf<Bench extends LiveBench>(agent: LiveAgent, bench: Bench): Stage<Bench> {
  const able = (ability: Ability): boolean => agent.cannot?.includes(ability) !== true;
  const can = { permissions: able('permissions'), thinking: able('thinking'), resume: able('resume') };
  let shared: string | undefined;
  const say = async (prompt: string): Promise<Exchange> => {
    const isAtRest = shared !== undefined && (await bench.session(shared)).status === 'idle';
    shared = isAtRest && shared !== undefined ? shared : (await bench.create()).id;
    return sayIn(bench, shared, prompt);
  };
  const expectClaimed = async (ability: Ability) => expect((await describedAs(agent, bench)).capabilities[ability]).toBe(can[ability]);
  return { agent, bench, can, say, expectClaimed };
}

async function isVerified({ agent, bench, say }: Stage): Promise<void> {
  expect((await describedAs(agent, bench)).verifiedWith).toContain(agent.version);
  const exchange = await say('@PLAIN which version');
  expect((await bench.event(exchange.id, 'session.started')).version).toBe(agent.version);
  await exchange.event('turn.completed');
}

async function describedAs(agent: LiveAgent, bench: LiveBench): Promise<AgentDescription> {
  const { agents } = (await api<{ agents: AgentDescription[] }>(bench.server, 'GET', '/api/agents')).body;
  const found = agents.find(({ id }) => id === agent.id) ?? expect.fail(`${agent.id} is not listed`);
  expect(found).toMatchObject({ available: true });
  return found;
}
