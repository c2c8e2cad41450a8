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
  /** What a person does just before the blows: answers what is asked, or interrupts. */
  readonly person: 'waits' | 'answers' | 'interrupts';
  /** A second message is sent amid the blows. */
  readonly hasFollower: boolean;
}

export type Blow =
  /** `lateMs`: so long before, messages of the situation `anytime` are sent. `againMs`: the next server is killed too, so long after it is ready. */
  | { readonly kind: 'server'; readonly afterMs: number; readonly lateMs: number; readonly downMs: number; readonly againMs?: number }
  /** `deafMs`: so long before, nothing reaches the page any more, while a message of it still goes out: its acknowledgement is lost. */
  | { readonly kind: 'socket'; readonly afterMs: number; readonly deafMs: number; readonly cutAfterBytes: number }
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
  const servers: Blow[] = dice.chance(0.8) ? [serverBlow(dice)] : [];
  const sockets: Blow[] = dice.chance(0.5) ? [{ kind: 'socket', afterMs: dice.below(80), deafMs: dice.below(80), cutAfterBytes: dice.below(4000) }] : [];
  return { strikes, blows: dice.shuffle([...processes, ...servers, ...sockets]), goesOnUnseen: dice.chance(0.5) };
}

function serverBlow(dice: Dice): Blow {
  const again = dice.chance(0.3) ? { againMs: dice.below(300) } : {};
  return { kind: 'server', afterMs: dice.below(120), lateMs: dice.below(15), downMs: dice.below(400), ...again };
}

const SITUATIONS: readonly Situation[] = ['mid-text', 'mid-command', 'mid-approval', 'anytime'];

/** Situations go round, so that every few rounds have met all of them. */
function strikeOf(dice: Dice, agent: AgentKind, session: number, index: number): Strike {
  const situation = SITUATIONS[(index + session) % SITUATIONS.length] ?? 'anytime';
  const isStruck = dice.chance(agent === 'stand-in' ? 0.4 : 0.9);
  return {
    session,
    situation,
    ...(isStruck && { victim: dice.pick(['agent', 'agent', 'agent', 'shell', 'feeder'] as const) }),
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
