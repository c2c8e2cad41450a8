import { seeded } from '../support/seeded.ts';

/** What the line between page and server does while a person types on. */
export type Cut =
  /** Every connection ends, and none is made until it heals. */
  | { readonly kind: 'down' }
  /** Nothing reaches the page, while what it says goes out: acknowledgements are lost. */
  | { readonly kind: 'deaf' }
  /** Each connection ends after so many bytes, most likely within a frame. */
  | { readonly kind: 'torn'; readonly bytes: number };

export type AgentKind = 'demo' | 'claude';

export interface Round {
  readonly cut: Cut;
  /** One a session, typed before the cut; unset for one that has nothing to do. */
  readonly before: readonly (string | undefined)[];
  /** One a session, typed during the cut. */
  readonly during: readonly (string | undefined)[];
  /** Whether text must be on its way when the line is cut. */
  readonly isMidText: boolean;
}

/** Rounds without an end; the same seed gives the same ones. */
export function* roundsOf(seed: number, agents: readonly AgentKind[]): Generator<Round, never> {
  const next = seeded(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  let count = 0;
  const words = (agent: AgentKind): string => wordsOf(agent, below(5), ++count);
  for (;;) {
    yield {
      cut: cutOf(below),
      before: agents.map((agent) => (next() < 0.8 ? words(agent) : undefined)),
      during: agents.map((agent) => (next() < 0.6 ? words(agent) : undefined)),
      isMidText: next() < 0.5,
    };
  }
}

function cutOf(below: (limit: number) => number): Cut {
  const kind = (['down', 'deaf', 'torn'] as const)[below(3)] ?? 'down';
  return kind === 'torn' ? { kind, bytes: below(4000) } : { kind };
}

/** No two that could wait at the same time are alike: a message that is on its way already is not sent again. */
function wordsOf(agent: AgentKind, scene: number, count: number): string {
  const mark = `mark${count}`;
  const scenes = { demo: [`echo ${mark}`, `long ${60 + (count % 150)}`, `think ${mark}`, `subagent ${mark}`, `run echo ${mark}`], claude: CLAUDE(mark) };
  return scenes[agent][scene] ?? mark;
}

const CLAUDE = (mark: string): readonly string[] => [`@PLAIN ${mark}`, `@DRIP 60 10 ${mark}`, `@THINK ${mark}`, `@BASH echo ${mark}`, `@DRIP 120 4 ${mark}`];
