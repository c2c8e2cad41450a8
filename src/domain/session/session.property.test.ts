import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proofCount } from '../../../test/support/proof-length.ts';
import { SimulatedServer } from '../../../test/support/simulation/server.ts';
import type { Command } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, CommandId, SessionId } from '../../protocol/ids.ts';
import { find, hasWaiting } from '../queue/queue.ts';
import { evolve, fold } from './evolve.ts';
import { newSessionState } from './state.ts';

/** What can happen next. `n` chooses among the possible targets. */
type Step = { readonly what: (typeof AGENT_SURVIVES)[number] | (typeof ANYTHING)[number]; readonly n: number };

const AGENT_SURVIVES = [
  'send',
  'steer',
  'edit',
  'move',
  'answer',
  'serve',
  'serve',
  'serve',
  'serve',
  'serve',
  'serve',
  'agent',
  'agent',
  'agent',
  'agent',
  'server dies',
  'server starts',
  'server starts',
] as const;
const ANYTHING = [...AGENT_SURVIVES, 'agent dies', 'interrupt', 'cancel', 'stop', 'sleep', 'wake', 'pause', 'resume', 'clear', 'send now'] as const;

const steps = (of: readonly Step['what'][]) =>
  fc.array(fc.record({ what: fc.constantFrom(...of), n: fc.nat(11) }), { minLength: 40, maxLength: 200, size: 'max' });

class Simulation {
  readonly setup = new SimulatedServer();
  private asked = 0;

  constructor(
    happenings: readonly Step[],
    /** Whether somebody wakes a resting session with queued messages; otherwise a last message must be enough. */
    private readonly isWoken = true,
  ) {
    this.order({ type: 'session.create', agent: 'demo' as AgentId, cwd: '/w', options: {} });
    for (const step of happenings) this.happen(step);
    if (!isWoken) this.sendLast();
    this.settle();
  }

  private sendLast(): void {
    this.setup.serverStarts();
    this.order({ type: 'input.send', text: 'the last one', resume: true });
  }

  get events(): readonly Event[] {
    return this.setup.journal;
  }

  private happen({ what, n }: Step): void {
    const { setup } = this;
    const waiting = setup.now.queue.filter((input) => input.stage.at === 'accepted');
    const target = waiting[n % Math.max(waiting.length, 1)]?.commandId;
    const request = setup.now.permissions[n % Math.max(setup.now.permissions.length, 1)]?.requestId;
    if (what === 'send' || what === 'steer') this.order({ type: 'input.send', text: `message ${n}`, mode: what === 'steer' ? 'steer' : 'queue' });
    if (what === 'edit' && target !== undefined) this.order({ type: 'input.edit', target, text: 'changed' });
    if (what === 'move' && target !== undefined) this.order({ type: 'input.move', target });
    if (what === 'cancel' && target !== undefined) this.order({ type: 'input.cancel', target });
    if (what === 'answer' && request !== undefined) this.order({ type: 'permission.answer', requestId: request, behavior: n % 2 === 0 ? 'allow' : 'deny' });
    if (what === 'interrupt') this.order({ type: 'turn.interrupt' });
    if (what === 'pause' || what === 'resume' || what === 'clear') this.order({ type: `queue.${what}` });
    if (what === 'send now' && target !== undefined) this.order({ type: 'input.steer', target });
    if (what === 'stop') this.order({ type: 'session.stop' });
    if (what === 'sleep') this.order({ type: 'session.sleep' });
    if (what === 'wake') this.order({ type: 'session.wake' });
    if (what === 'serve') setup.serve();
    if (what === 'agent') setup.agentSteps(n);
    if (what === 'agent dies') setup.agentDies();
    if (what === 'server dies') setup.serverDies();
    if (what === 'server starts') setup.serverStarts();
  }

  /** Lets the server and the agent run until nothing is left to do. People answer every request. */
  private settle(): void {
    const { setup } = this;
    for (let round = 0; !setup.isAtRest; round += 1) {
      if (round > 5000) throw new Error(`never came to rest: ${JSON.stringify(setup.now)}`);
      setup.serverStarts();
      while (setup.serve());
      setup.agentSteps(round);
      const [request] = setup.now.permissions;
      if (request !== undefined) this.order({ type: 'permission.answer', requestId: request.requestId, behavior: 'allow' });
      if (this.isWoken && setup.now.paused !== undefined) this.order({ type: 'queue.resume' });
      if (this.isWoken && setup.now.run.phase === 'none' && setup.now.queue.length > 0) this.order({ type: 'session.wake' });
    }
  }

  private order(order: object): void {
    this.asked += 1;
    this.setup.ask({ sessionId: 's1' as SessionId, commandId: `c${this.asked}` as CommandId, ...order } as Command);
  }
}

const count = (events: readonly Event[], matches: (event: Event) => boolean): number => events.filter(matches).length;
const inputsOf = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'input.accepted' ? [event.commandId] : []));

function everyRequestEndsOnce(events: readonly Event[]): void {
  for (const event of events) {
    if (event.type !== 'permission.requested') continue;
    expect(count(events, (other) => other.type === 'permission.resolved' && other.requestId === event.requestId)).toBe(1);
  }
}

function everyInputEndsOnce(events: readonly Event[]): void {
  for (const commandId of inputsOf(events)) {
    const ends = count(events, (event) => (event.type === 'input.consumed' || event.type === 'input.cancelled') && event.commandId === commandId);
    expect([commandId, ends]).toEqual([commandId, 1]);
  }
}

/** Nothing leaves a paused queue but what somebody sends now, and a pause always holds something back. */
function pausesHold(events: readonly Event[]): void {
  let state = newSessionState('s1' as SessionId);
  for (const event of events) {
    const input = event.type === 'input.delivered' ? find(state.queue, event.commandId) : undefined;
    if (state.paused !== undefined && input !== undefined) expect([event.seq, input.mode]).toEqual([event.seq, 'steer']);
    state = evolve(state, event);
    if (state.paused !== undefined) expect(hasWaiting(state.queue)).toBe(true);
  }
}

/** After a person's interrupt, everything that was queued is paused, cancelled or sent now. */
function interruptsHold(events: readonly Event[]): void {
  let state = newSessionState('s1' as SessionId);
  events.forEach((event, at) => {
    const next = evolve(state, event);
    if (event.type === 'interrupt.requested' && hasWaiting(state.queue) && state.paused === undefined) expect(events[at + 1]?.type).toBe('queue.paused');
    state = next;
  });
}

test('[R364] whatever happens in any order, nothing leaves a paused queue unless somebody sends it now or resumes', () => {
  fc.assert(
    fc.property(steps(ANYTHING), (happenings) => {
      const { events } = new Simulation(happenings);
      pausesHold(events);
      interruptsHold(events);
    }),
    { numRuns: proofCount(300) },
  );
});

test('[R136] whatever happens in any order, each request is resolved exactly once and each input has exactly one end', () => {
  fc.assert(
    fc.property(steps(ANYTHING), (happenings) => {
      const { events, setup } = new Simulation(happenings);
      everyRequestEndsOnce(events);
      everyInputEndsOnce(events);
      expect(fold(newSessionState('s1' as SessionId), events)).toEqual(setup.now);
    }),
    { numRuns: proofCount(500) },
  );
});

test('[R137] when only servers crash, every input is consumed, runs exactly once, and nothing is returned', () => {
  fc.assert(
    fc.property(steps(AGENT_SURVIVES), (happenings) => {
      const { events, setup } = new Simulation(happenings);
      everyRequestEndsOnce(events);
      const inputs = inputsOf(events);
      for (const commandId of inputs) expect(count(events, (event) => event.type === 'input.consumed' && event.commandId === commandId)).toBe(1);
      expect([...setup.conversation.taken].sort()).toEqual([...inputs].sort());
      expect(count(events, (event) => event.type === 'user.message')).toBe(inputs.length);
      expect(count(events, (event) => event.type === 'input.returned')).toBe(0);
    }),
    { numRuns: proofCount(500) },
  );
});

test('[R45] after a message nothing needs another nudge, whatever stopped, slept or crashed before', () => {
  fc.assert(
    fc.property(steps(ANYTHING), (happenings) => {
      const { events } = new Simulation(happenings, false);
      everyInputEndsOnce(events);
    }),
    { numRuns: proofCount(500) },
  );
});
