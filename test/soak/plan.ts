import { seeded } from '../support/seeded.ts';

/** What happens to the connection between page and server while a person keeps typing. */
export type Cut =
  /** Every connection ends, and none can be opened until it heals. */
  | { readonly kind: 'down' }
  /** Nothing reaches the page, but what it sends gets through: acknowledgements are lost. */
  | { readonly kind: 'deaf' }
  /** Each connection ends after this many bytes, most likely within a frame. */
  | { readonly kind: 'torn'; readonly bytes: number };

export type AgentKind = 'demo' | 'claude';

export interface Round {
  readonly cut: Cut;
  /** One per session, typed before the cut; undefined for a session that gets no message. */
  readonly before: readonly (string | undefined)[];
  /** One per session, typed during the cut. */
  readonly during: readonly (string | undefined)[];
  /** Whether text must be streaming when the connection is cut. */
  readonly isMidText: boolean;
}

/** Endless rounds; the same seed gives the same ones. */
export function* roundsOf(seed: number, agents: readonly AgentKind[]): Generator<Round, never> {
  const next = seeded(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  let count = 0;
  const text = (agent: AgentKind): string => textOf(agent, below(5), ++count);
  for (;;) {
    yield {
      cut: cutOf(below),
      before: agents.map((agent) => (next() < 0.8 ? text(agent) : undefined)),
      during: agents.map((agent) => (next() < 0.6 ? text(agent) : undefined)),
      isMidText: next() < 0.5,
    };
  }
}

function cutOf(below: (limit: number) => number): Cut {
  const kind = (['down', 'deaf', 'torn'] as const)[below(3)] ?? 'down';
  return kind === 'torn' ? { kind, bytes: below(4000) } : { kind };
}

/** No two messages that can be pending at the same time are equal: the page doesn't send a message again that is already on its way. */
function textOf(agent: AgentKind, scene: number, count: number): string {
  const mark = `mark${count}`;
  const scenes = { demo: [`echo ${mark}`, `long ${60 + (count % 150)}`, `think ${mark}`, `subagent ${mark}`, `run echo ${mark}`], claude: CLAUDE(mark) };
  return scenes[agent][scene] ?? mark;
}

const CLAUDE = (mark: string): readonly string[] => [`@PLAIN ${mark}`, `@DRIP 60 10 ${mark}`, `@THINK ${mark}`, `@BASH echo ${mark}`, `@DRIP 120 4 ${mark}`];
