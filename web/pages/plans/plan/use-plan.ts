import { useEffect, useState } from 'react';
import type { PlanState } from '../../../../src/protocol/api/plan.ts';
import { ApiError } from '../../../client/http/api.ts';
import { createPlanApi, type PlanApi } from '../../../client/http/plan-api.ts';

export interface OpenPlan {
  readonly api: PlanApi;
  readonly plan: PlanState | undefined;
  readonly isMissing: boolean;
  readonly problem: string | undefined;
}

/** One plan, kept up to date by its events while it is shown. */
export function usePlan(planId: string): OpenPlan {
  const [api] = useState(() => createPlanApi(document.baseURI));
  const [state, setState] = useState<Omit<OpenPlan, 'api'>>({ plan: undefined, isMissing: false, problem: undefined });
  useEffect(() => {
    let isOld = false;
    api.get(planId).then(
      ({ plan }) => isOld || setState({ plan, isMissing: false, problem: undefined }),
      (error: unknown) => isOld || setState(({ plan }) => ({ plan, isMissing: error instanceof ApiError && error.status === 404, problem: String(error) })),
    );
    return () => {
      isOld = true;
    };
  }, [api, planId]);
  return { api, ...state };
}
