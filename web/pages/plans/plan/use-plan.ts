import { useEffect, useState } from 'react';
import { evolvePlan } from '../../../../src/domain/plan/evolve.ts';
import type { PlanState } from '../../../../src/protocol/api/plan.ts';
import { PlanId, planStream } from '../../../../src/protocol/plan.ts';
import { createPlanApi, type PlanApi } from '../../../client/http/plan-api.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';

export interface OpenPlan {
  readonly api: PlanApi;
  readonly plan: PlanState | undefined;
  readonly isMissing: boolean;
}

/** One plan, kept up to date by its events while it is shown: the same fold as the server's. */
export function usePlan(planId: string): OpenPlan {
  const cockpit = useCockpit();
  const [api] = useState(() => createPlanApi(document.baseURI));
  const [plan, setPlan] = useState<PlanState>();
  const id = PlanId.safeParse(planId);
  const stream = id.success ? planStream(id.data) : undefined;
  const isGone = useApp((state) => stream !== undefined && state.missing.has(stream));
  useEffect(() => {
    setPlan(undefined);
    return cockpit.watchPlan(planId, (frame) => {
      setPlan((before) => (frame.type === 'plan' ? frame.plan : before === undefined ? undefined : evolvePlan(before, frame.event)));
    });
  }, [cockpit, planId]);
  return { api, plan, isMissing: stream === undefined || isGone };
}
