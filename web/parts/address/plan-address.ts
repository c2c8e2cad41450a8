/** How the steps are shown. Without a choice, wide screens have the graph and phones the list. */
export const PLAN_VIEWS = ['graph', 'list', 'board'] as const;
export type PlanView = (typeof PLAN_VIEWS)[number];

/** What the address of a plan says besides which plan it is. */
export interface PlanSearch {
  readonly view?: PlanView;
  readonly step?: string;
  readonly proposal?: string;
}

export function planSearchOf({ view, step, proposal }: Readonly<Record<string, unknown>>): PlanSearch {
  const known = PLAN_VIEWS.find((one) => one === view);
  return {
    ...(known !== undefined && { view: known }),
    ...(typeof step === 'string' && step !== '' && { step }),
    ...(typeof proposal === 'string' && proposal !== '' && { proposal }),
  };
}

/** The filters of the list of plans. */
export interface PlansSearch {
  readonly status?: string;
  readonly agent?: string;
  readonly project?: string;
}

export function plansSearchOf({ status, agent, project }: Readonly<Record<string, unknown>>): PlansSearch {
  return {
    ...(typeof status === 'string' && status !== '' && { status }),
    ...(typeof agent === 'string' && agent !== '' && { agent }),
    ...(typeof project === 'string' && project !== '' && { project }),
  };
}
