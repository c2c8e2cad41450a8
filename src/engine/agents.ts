import type { AgentDescription } from '../protocol/http.ts';
import type { World } from './world.ts';

/** Every agent we can speak to, whether it is here, and if not what is wrong. */
export function describeAgents(world: World): Promise<readonly AgentDescription[]> {
  const { adapters, locator } = world.deps;
  const boxes = [...world.boxes.values()];
  return Promise.all(
    [...adapters.values()].map(async (adapter) => {
      const { id, title, icon, capabilities, verifiedWith } = adapter;
      const sessions = boxes.filter((box) => box.state.born?.agent === id).length;
      const located = await locator.find(adapter);
      const base = { id, title, icon, capabilities, verifiedWith: [...verifiedWith], sessions };
      if (!located.available) return { ...base, available: false, problem: located.problem, ...(located.path !== undefined && { path: located.path }) };
      return { ...base, available: true, path: located.path, ...(located.version !== undefined && { version: located.version }) };
    }),
  );
}
