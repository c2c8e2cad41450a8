import { expect, test } from 'vitest';
import { standInAdapter } from '../../test/support/stand-in-adapter/index.ts';
import type { Adapter } from '../agents/port/adapter.ts';
import { describeAgents } from './list-agents.ts';

test('[R264] an agent’s description lists the options that its adapter does not support', async () => {
  const limited: Adapter = {
    ...standInAdapter,
    unsupportedReason: ({ maxTurns, addDirs }) => (maxTurns === undefined && addDirs === undefined ? undefined : 'There is nothing like it.'),
  };
  const locator = { packageRoot: '/', find: () => Promise.resolve({ available: false, problem: 'not here' } as const) };
  const [full, reduced] = await describeAgents({ adapters: [{ ...standInAdapter, runsWithoutTools: true }, limited], locator, sessions: [] });
  expect(full?.refusedOptions).toEqual([]);
  expect(reduced?.refusedOptions).toEqual(['addDirs', 'maxTurns', 'noTools']);
});
