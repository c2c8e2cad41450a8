import { expect, test } from 'vitest';
import { standInAdapter } from '../../test/support/stand-in-adapter/index.ts';
import type { Adapter } from '../agents/adapter.ts';
import { describeAgents } from './list-agents.ts';

test('[R264] an agent is described with the options that it has nothing like, by what it says to each of them', async () => {
  const choosy: Adapter = {
    ...standInAdapter,
    unsupportedReason: ({ maxTurns, addDirs }) => (maxTurns === undefined && addDirs === undefined ? undefined : 'There is nothing like it.'),
  };
  const locator = { packageRoot: '/', find: () => Promise.resolve({ available: false, problem: 'not here' } as const) };
  const [easy, other] = await describeAgents({ adapters: [standInAdapter, choosy], locator, sessions: [] });
  expect(easy?.refusedOptions).toEqual([]);
  expect(other?.refusedOptions).toEqual(['addDirs', 'maxTurns']);
});
