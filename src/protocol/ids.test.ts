import { expect, test } from 'vitest';
import { WORKSPACE } from './event.ts';
import { isInternal, isReservedId, isSession } from './ids.ts';

test('[R610] the workspace and plans are streams but no sessions; only Signalbox uses ids that begin with "_" or "p_"', () => {
  const ids = ['a', 'p_plan_node_1_run1', '_script-1', '_plan-x', WORKSPACE];
  expect(ids.map(isSession)).toEqual([true, true, true, false, false]);
  expect(ids.map(isInternal)).toEqual([false, false, true, true, true]);
  expect(ids.map(isReservedId)).toEqual([false, true, true, true, true]);
});
