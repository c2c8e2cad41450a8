import { seeded } from '../support/seeded.ts';

/** `claude` and `claude-next` are two versions of the real CLI. */
export type AgentKind = 'claude' | 'claude-next' | 'stand-in';
export type Situation = 'mid-text' | 'mid-command' | 'mid-approval' | 'anytime';
export type Victim = 'agent' | 'shell' | 'feeder';

/** What happens in one session in one round. */
export interface Strike {
  readonly session: number;
  readonly situation: Situation;
  /** Unset: this session only sees what happens to the server and to the sockets. */
  readonly victim?: Victim;
  /** Pieces of text let through before the blow. */
  readonly pieces: number;
  readonly answer: 'allow' | 'deny';
  /** A second message waits behind the first one. */
  readonly hasFollower: boolean;
}

export type Blow =
  | { readonly kind: 'server'; readonly afterMs: number; readonly downMs: number }
  | { readonly kind: 'socket'; readonly afterMs: number; readonly cutAfterBytes: number }
  | { readonly kind: 'process'; readonly afterMs: number; readonly session: number; readonly victim: Victim };

export interface Round {
  readonly strikes: readonly Strike[];
  /** In this order, each so long after the one before. */
  readonly blows: readonly Blow[];
  /** Whether the model goes on while no server lives. */
  readonly goesOnUnseen: boolean;
}

export interface Plan {
  readonly seed: number;
  readonly agents: readonly AgentKind[];
  readonly rounds: readonly Round[];
}

/** Two of each three sessions run the real CLI, so that it takes most of the blows. */
export const AGENTS: readonly AgentKind[] = ['claude', 'claude', 'claude-next', 'stand-in', 'stand-in'];

export function planOf(seed: number, rounds: number, agents: readonly AgentKind[] = AGENTS): Plan {
  const dice = diceOf(seed);
  return { seed, agents, rounds: Array.from({ length: rounds }, (_, index) => roundOf(dice, agents, index)) };
}

function roundOf(dice: Dice, agents: readonly AgentKind[], index: number): Round {
  const strikes = agents.map((agent, session) => strikeOf(dice, agent, session, index));
  const processes = strikes.flatMap(({ session, victim }): Blow[] =>
    victim === undefined ? [] : [{ kind: 'process', afterMs: dice.below(60), session, victim }],
  );
  const servers: Blow[] = dice.chance(0.8) ? [{ kind: 'server', afterMs: dice.below(120), downMs: dice.below(400) }] : [];
  const sockets: Blow[] = dice.chance(0.5) ? [{ kind: 'socket', afterMs: dice.below(80), cutAfterBytes: dice.below(4000) }] : [];
  return { strikes, blows: dice.shuffle([...processes, ...servers, ...sockets]), goesOnUnseen: dice.chance(0.5) };
}

/** Situations go round, so that every few rounds have met all of them. */
function strikeOf(dice: Dice, agent: AgentKind, session: number, index: number): Strike {
  const turn = (index + session) % 4;
  const situation = turn === 3 && dice.chance(0.5) ? 'anytime' : (['mid-text', 'mid-command', 'mid-approval', 'mid-text'] as const)[turn];
  const isStruck = agent === 'stand-in' ? dice.chance(0.5) : dice.chance(0.7);
  return {
    session,
    situation: situation ?? 'mid-text',
    ...(isStruck && { victim: dice.pick(['agent', 'agent', 'agent', 'shell', 'feeder'] as const) }),
    pieces: 1 + dice.below(8),
    answer: dice.chance(0.7) ? 'allow' : 'deny',
    hasFollower: dice.chance(0.3),
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
