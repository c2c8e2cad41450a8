import type { Capabilities } from '../../../../src/protocol/http.ts';

const WORDS: Readonly<Partial<Record<keyof Capabilities, string>>> = {
  streaming: 'show text while it is written',
  permissions: 'ask before it acts',
  resume: 'go on after it ended',
  fork: 'be forked',
  forkAt: 'be forked at a message',
  interrupt: 'be interrupted',
  steer: 'take a message into a running turn',
  images: 'look at pictures',
  thinking: 'show what it thinks',
  cost: 'tell what it costs',
  subagents: 'use subagents',
  setModel: 'change its model',
  setThinking: 'change how much it thinks',
  rewind: 'put files back',
};

/** What an agent can and cannot do, in words. */
export function abilitiesOf(capabilities: Capabilities): { readonly can: readonly string[]; readonly cannot: readonly string[] } {
  const told = Object.entries(WORDS).map(([name, words]) => ({
    words,
    has: Object.entries(capabilities).some(([key, value]) => key === name && value === true),
  }));
  return { can: told.filter(({ has }) => has).map(({ words }) => words), cannot: told.filter(({ has }) => !has).map(({ words }) => words) };
}
