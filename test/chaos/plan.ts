import { seeded } from '../support/seeded.ts';

/** `claude` and `claude-next` are two versions of the real CLI. */
export type AgentKind = 'claude' | 'claude-next' | 'stand-in';
export type Situation = 'mid-text' | 'mid-command' | 'mid-approval' | 'anytime';
export type Victim = 'agent' | 'shell' | 'feeder';

/** What happens in one session in one round. */
export interface SessionStep {
  readonly session: number;
  readonly situation: Situation;
  /** Unset: only faults of the server and the sockets affect this session. */
  readonly victim?: Victim;
  /** Pieces of text that the model sends before the fault. */
  readonly pieces: number;
  readonly answer: 'allow' | 'deny';
  /** What a person does just before the faults: wait, answer the pending request, or interrupt. */
  readonly person: 'waits' | 'answers' | 'interrupts';
  /** A second message is sent during the faults. */
  readonly hasFollower: boolean;
}

export type Fault =
  /** `lateMs`: how long before the kill messages of the situation `anytime` are sent. `againMs`: the next server is killed too, this long after it is ready. */
  | { readonly kind: 'server'; readonly afterMs: number; readonly lateMs: number; readonly downMs: number; readonly againMs?: number }
  /** `stalledMs`: how long before the cut nothing reaches the page, while a message from it still gets through: its acknowledgement is lost. */
  | { readonly kind: 'socket'; readonly afterMs: number; readonly stalledMs: number; readonly cutAfterBytes: number }
  | { readonly kind: 'process'; readonly afterMs: number; readonly session: number; readonly victim: Victim };

export interface Round {
  readonly steps: readonly SessionStep[];
  /** In this order, each `afterMs` after the one before. */
  readonly faults: readonly Fault[];
  /** Whether the model continues while no server is running. */
  readonly continuesOffline: boolean;
}

export interface Plan {
  readonly seed: number;
  readonly agents: readonly AgentKind[];
  readonly rounds: readonly Round[];
}

/** Most sessions run the real CLI, so it takes most of the faults. */
export const AGENTS: readonly AgentKind[] = ['claude', 'claude', 'claude-next', 'stand-in', 'stand-in'];

export function planRounds(seed: number, rounds: number, agents: readonly AgentKind[] = AGENTS): Plan {
  const dice = diceOf(seed);
  return { seed, agents, rounds: Array.from({ length: rounds }, (_, index) => roundOf(dice, agents, index)) };
}

function roundOf(dice: Dice, agents: readonly AgentKind[], index: number): Round {
  const steps = agents.map((agent, session) => stepOf(dice, agent, session, index));
  const processes = steps.flatMap(({ session, victim }): Fault[] =>
    victim === undefined ? [] : [{ kind: 'process', afterMs: dice.below(60), session, victim }],
  );
  const servers: Fault[] = dice.chance(0.8) ? [serverFault(dice)] : [];
  const sockets: Fault[] = dice.chance(0.5) ? [{ kind: 'socket', afterMs: dice.below(80), stalledMs: dice.below(80), cutAfterBytes: dice.below(4000) }] : [];
  return { steps, faults: dice.shuffle([...processes, ...servers, ...sockets]), continuesOffline: dice.chance(0.5) };
}

function serverFault(dice: Dice): Fault {
  const again = dice.chance(0.3) ? { againMs: dice.below(300) } : {};
  return { kind: 'server', afterMs: dice.below(120), lateMs: dice.below(15), downMs: dice.below(400), ...again };
}

const SITUATIONS: readonly Situation[] = ['mid-text', 'mid-command', 'mid-approval', 'anytime'];

/** Situations rotate, so a few rounds cover all of them. */
function stepOf(dice: Dice, agent: AgentKind, session: number, index: number): SessionStep {
  const situation = SITUATIONS[(index + session) % SITUATIONS.length] ?? 'anytime';
  const isHit = dice.chance(agent === 'stand-in' ? 0.4 : 0.9);
  return {
    session,
    situation,
    ...(isHit && { victim: dice.pick(['agent', 'agent', 'agent', 'shell', 'feeder'] as const) }),
    pieces: 1 + dice.below(8),
    answer: dice.chance(0.7) ? 'allow' : 'deny',
    person: situation === 'mid-approval' && dice.chance(0.4) ? 'answers' : dice.chance(0.1) ? 'interrupts' : 'waits',
    hasFollower: dice.chance(0.5),
  };
}

interface Dice {
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  shuffle<T>(things: readonly T[]): readonly T[];
}

function diceOf(seed: number): Dice {
  const next = seeded(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (from) => from[below(from.length)] ?? from[0],
    shuffle: (things) =>
      things
        .map((thing) => ({ thing, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ thing }) => thing),
  };
}
