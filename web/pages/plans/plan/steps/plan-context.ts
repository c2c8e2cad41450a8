import { createContext, useContext } from 'react';
import type { PlanState } from '../../../../../src/protocol/api/plan.ts';
import type { PlanOp } from '../../../../../src/protocol/plan.ts';
import type { PlanApi } from '../../../../client/http/plan-api.ts';

/** What the parts of one plan's page share. */
export interface PlanPageContext {
  readonly plan: PlanState;
  readonly api: PlanApi;
  /** Whether this person may change the plan. */
  readonly mayAct: boolean;
  readonly titleOf: (id: string) => string;
  readonly agentTitle: (id: string | undefined) => string;
  /** Shows a step. */
  readonly choose: (id: string | undefined) => void;
  /** Adds changes to those that are not applied yet. */
  readonly change: (ops: readonly PlanOp[]) => void;
  readonly openForm: (form: OpenForm) => void;
}

/** The form that is open over the page. */
export type OpenForm =
  | { readonly kind: 'add'; readonly needs: readonly string[] }
  | { readonly kind: 'between'; readonly from: string; readonly to: string }
  | { readonly kind: 'sibling'; readonly of: string }
  | { readonly kind: 'edit'; readonly node: string }
  | { readonly kind: 'settings' }
  | { readonly kind: 'generate' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'delete' };

export const PlanContext = createContext<PlanPageContext | undefined>(undefined);

export function usePlanPage(): PlanPageContext {
  const context = useContext(PlanContext);
  if (context === undefined) throw new Error('usePlanPage is used outside of a plan');
  return context;
}
