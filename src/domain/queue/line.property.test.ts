import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ended, SessionScenario } from '../../../test/support/domain/session-scenario.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { newSessionState, type SessionState } from '../session/state.ts';
import { byArrival, canSleep, isInLine, makesRoom, mayStart } from './line.ts';

const SLOTS = 3;
const SESSIONS = 7;

/** Several sessions that share a few slots, as the engine runs them. */
class Slots {
  private readonly sessions = new Map<string, SessionScenario>();
  /** Who joined the line, in this order, and has neither started nor left it. */
  readonly joined: string[] = [];
  private clock = 0;

  get states(): readonly SessionState[] {
    return [...this.sessions.values()].map(({ state }) => state);
  }

  /** A message to a session, which is created by its first one. */
  send(id: string): void {
    this.act(id, (session) => (session.state.born === null ? session.create('hello') : session.send(`m${this.clock}`)));
  }

  finishTurn(id: string): void {
    this.act(id, (session) => {
      const { run, turn } = session.state;
      const isWorking = run.phase === 'opened' || run.phase === 'ready';
      if (isWorking && turn.phase === 'idle' && session.state.queue.length > 0)
        session.says({ type: 'agent.ready' }, { type: 'turn.began', cause: 'input' }, ended());
    });
  }

  exit(id: string): void {
    this.act(id, (session) => session.state.run.phase === 'ending' && session.exits());
  }

  /** What the engine does after every change. */
  settle(): void {
    for (const id of [...this.joined]) {
      if (!this.mayStart(id)) break;
      this.act(id, (session) => session.advances());
    }
    for (const { id } of makesRoom(this.states)) this.act(id, (session) => session.asks({ type: 'session.sleep' }));
  }

  private act(id: string, change: (session: SessionScenario) => unknown): void {
    const session = this.sessions.get(id) ?? this.added(id);
    this.clock += 1;
    session.with({ hasFreeSlot: this.mayStart(id), at: new Date(this.clock).toISOString() });
    const wasLive = session.state.run.phase !== 'none';
    change(session);
    const { state } = session;
    const place = this.joined.indexOf(id);
    if (state.run.phase !== 'none' && !wasLive)
      expect(this.joined.slice(0, Math.max(place, place === -1 ? this.joined.length : 0)), 'ahead in line').toEqual([]);
    if (!isInLine(state) && place !== -1) this.joined.splice(place, 1);
    if (isInLine(state) && place === -1) this.joined.push(id);
  }

  private added(id: string): SessionScenario {
    const session = new SessionScenario();
    session.state = { ...session.state, id: id as SessionId };
    this.sessions.set(id, session);
    return session;
  }

  private mayStart(id: string): boolean {
    const session = this.sessions.get(id);
    return (
      session !== undefined &&
      mayStart(
        session.state,
        this.states.filter((other) => other.id !== id),
        SLOTS,
      )
    );
  }
}

const steps = fc.array(fc.record({ what: fc.constantFrom('send', 'send', 'finish', 'exit'), n: fc.nat(SESSIONS - 1) }), {
  minLength: 20,
  maxLength: 120,
  size: 'max',
});

test('[R362] slots are given in the order in which sessions joined the line, never more than there are, and an idle agent makes room for each', () => {
  fc.assert(
    fc.property(steps, (happenings) => {
      const slots = new Slots();
      for (const { what, n } of happenings) {
        if (what === 'send') slots.send(`s${n}`);
        if (what === 'finish') slots.finishTurn(`s${n}`);
        if (what === 'exit') slots.exit(`s${n}`);
        slots.settle();
        const { states } = slots;
        expect(states.filter(({ run }) => run.phase !== 'none').length).toBeLessThanOrEqual(SLOTS);
        expect(
          states
            .filter(isInLine)
            .sort(byArrival)
            .map(({ id }) => id),
        ).toEqual(slots.joined);
        const ending = states.filter(({ run }) => run.phase === 'ending').length;
        if (slots.joined.length > ending) expect(states.filter(canSleep), 'idle while others wait').toEqual([]);
      }
      for (let round = 0; round < SESSIONS * 3; round += 1) {
        for (let n = 0; n < SESSIONS; n += 1) for (const act of ['finishTurn', 'exit'] as const) slots[act](`s${n}`);
        slots.settle();
      }
      expect(slots.joined, 'still in line after everyone is done').toEqual([]);
    }),
    { numRuns: proofCount(60) },
  );
});

test('[R362] a free slot belongs to the first in line, not to whoever comes next', () => {
  const waiting = new SessionScenario({ hasFreeSlot: false }).create('hello').state;
  const newcomer = newSessionState('s2' as SessionId);
  expect([mayStart(newcomer, [waiting], 1), mayStart(waiting, [newcomer], 1), mayStart(newcomer, [waiting], 2)]).toEqual([false, true, true]);
});

const KEEPS_RUNNING: readonly (readonly [string, (session: SessionScenario) => SessionScenario])[] = [
  ['works', (session) => session.send('m1').says({ type: 'turn.began', cause: 'input' })],
  ['has a background command', (session) => session.says({ type: 'task.updated', taskId: 't', kind: 'command', status: 'running' })],
  ['has a subagent', (session) => session.says({ type: 'task.updated', taskId: 't', kind: 'subagent', status: 'running' })],
  ['has a pending request', (session) => session.says({ type: 'permission.asked', agentRequestId: 'p', tool: 'Bash', input: {}, kind: 'tool' })],
  ['has a queue', (session) => session.send('m1').send('m2').with({ hasDiskSpace: false }).says({ type: 'turn.began', cause: 'input' }, ended())],
];
for (const [what, prepare] of KEEPS_RUNNING) {
  test(`[R363] an agent that ${what} is never put to sleep to make room`, () => {
    expect(canSleep(SessionScenario.ready().state)).toBe(true);
    expect(canSleep(prepare(SessionScenario.ready()).state)).toBe(false);
  });
}
