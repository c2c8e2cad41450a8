import type { ProposalList } from '../../../src/protocol/http.ts';
import { ApiError } from '../../client/http/api.ts';
import type { Desk } from '../cockpit.ts';
import { type Answer, sendAnswer } from './answers.ts';
import { fetchPermissions } from './waiting.ts';

export interface Approvals {
  refreshPermissions(): Promise<void>;
  /** Kept and resent like a message: an answer given without a connection is not lost. */
  answer(answer: Answer): Promise<void>;
  /** Asks as what the request could be remembered; without an answer only the request itself can be. */
  loadProposals(requestId: string): Promise<void>;
  /** Asks what this person may do, once; without an answer the server itself says no where it must. */
  loadRole(): Promise<void>;
  /** Looks for a plan that stands in the call rather than in the request. */
  findPlan(request: PlanRequest): Promise<void>;
  /** A hand is on the list of what waits: nothing in it may move. */
  touchWaiting(): void;
}

interface PlanRequest {
  readonly requestId: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly toolUseId: string;
}

/** The call stands shortly before the request for it. */
const LOOK_BACK = 50;

export function approvals(desk: Desk): Approvals {
  let running = false;
  let again = false;
  const refreshPermissions = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    await fetchPermissions(desk).finally(() => {
      running = false;
    });
    if (!again) return;
    again = false;
    await refreshPermissions();
  };
  return {
    refreshPermissions,
    answer: (given) => sendAnswer(desk, given),
    loadProposals: (requestId) => loadProposals(desk, requestId),
    loadRole: () => loadRole(desk),
    findPlan: (request) => findPlan(desk, request),
    touchWaiting: () => desk.store.setState({ handAt: desk.options.now() }),
  };
}

async function loadProposals({ store, options }: Desk, requestId: string): Promise<void> {
  if (store.getState().proposals.has(requestId)) return;
  const proposals = await options.api.proposals(requestId).catch(noneIfRefused);
  if (proposals === undefined) return;
  store.setState((state) => ({ proposals: new Map(state.proposals).set(requestId, proposals) }));
}

/** A server that is away has refused nothing: it is asked again when it is back. */
const noneIfRefused = (error: unknown): ProposalList | undefined => (error instanceof ApiError && error.status === 0 ? undefined : { proposals: [] });

async function loadRole({ store, options }: Desk): Promise<void> {
  if (store.getState().role !== undefined) return;
  const me = await options.api.me().catch(() => undefined);
  if (me !== undefined) store.setState({ role: me.role });
}

async function findPlan({ store, options }: Desk, { requestId, sessionId, seq, toolUseId }: PlanRequest): Promise<void> {
  if (store.getState().plans.has(requestId)) return;
  const events = await options.api.eventsBefore(sessionId, seq, LOOK_BACK).catch(() => []);
  const call = events.findLast((event) => event.type === 'tool.started' && event.toolUseId === toolUseId);
  const plan = call?.type === 'tool.started' ? call.input.plan : undefined;
  if (typeof plan === 'string') store.setState((state) => ({ plans: new Map(state.plans).set(requestId, plan) }));
}
