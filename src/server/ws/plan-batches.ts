import { isNews, newsOf } from '../../domain/plan/news.ts';
import type { Problems } from '../../problems/problems.ts';
import type { PlanState } from '../../protocol/api/plan.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type PlanId, planOfStream } from '../../protocol/plan.ts';
import { postToList } from './client.ts';
import type { Connections } from './connections.ts';
import { wireFrame } from './wire-frame.ts';

/** A plan that starts makes several events at once. */
const QUIET_MS = 100;

interface PlanBatches {
  /** Something happened in this stream; anything but a plan is ignored. */
  changed(stream: SessionId): void;
  close(): void;
}

/** Tells list subscribers which plans changed, a few times a second, always their newest state. */
export function createPlanBatches({ engine, clients }: Connections, problems: Problems): PlanBatches {
  const pending = new Set<PlanId>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const ids = [...pending];
    pending.clear();
    const plans = ids.flatMap((id) => engine.planState(id) ?? []);
    const removed = ids.filter((id) => engine.planState(id) === undefined);
    const frame = wireFrame({ type: 'plans', plans: plans.map(newsOf), ...(removed.length > 0 && { removed }) });
    for (const client of clients) postToList(client, frame);
  };
  return {
    changed: (stream) => {
      const id = planOfStream(stream);
      if (id === undefined) return;
      pending.add(id);
      timer ??= problems.after('update pages', QUIET_MS, flush).unref();
    },
    close: () => clearTimeout(timer),
  };
}

/** Everything that a new list subscriber should know. */
export const planList = (plans: readonly PlanState[], now: number): ServerFrame => ({
  type: 'plans',
  reset: true,
  plans: plans.filter((plan) => isNews(plan, now)).map(newsOf),
});
