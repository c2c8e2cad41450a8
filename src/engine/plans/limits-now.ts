import type { EngineContext } from '../loop/engine-context.ts';

/** By agent: when its usage limit resets, as its sessions last reported. A limit belongs to an account, so it holds for all sessions of an agent. */
export function limitsNow({ sessions }: EngineContext): ReadonlyMap<string, string> {
  const limits = new Map<string, string>();
  for (const { state } of sessions.values()) {
    const until = state.limit?.status === 'rejected' ? state.limit.resetsAt : undefined;
    if (until === undefined || state.born === null || state.deleted) continue;
    const known = limits.get(state.born.agent);
    if (known === undefined || until > known) limits.set(state.born.agent, until);
  }
  return limits;
}
