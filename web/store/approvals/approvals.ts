import type { ProposalList } from '../../../src/protocol/http.ts';
import { ApiError } from '../../client/http/api.ts';
import type { StoreContext } from '../state/store-context.ts';
import { type Answer, sendAnswer } from './answers.ts';

export interface Approvals {
  /** Stored and resent like a message: an answer given offline is not lost. */
  answer(answer: Answer): Promise<void>;
  /** Loads the rules that an approval could create; without an answer only the request itself can be allowed. */
  loadProposals(requestId: string): Promise<void>;
  /** Loads the user's role once; without an answer the server refuses where it must. */
  loadRole(): Promise<void>;
  /** Finds a plan that is in the tool call, not in the request. */
  findPlan(request: PlanRequest): Promise<void>;
  /** The user is touching the list of requests: nothing in it may move. */
  touchWaiting(): void;
}

interface PlanRequest {
  readonly requestId: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly toolUseId: string;
}

/** The call comes shortly before its request. */
const LOOK_BACK = 50;

export function approvals(context: StoreContext): Approvals {
  return {
    answer: (given) => sendAnswer(context, given),
    loadProposals: (requestId) => loadProposals(context, requestId),
    loadRole: () => loadRole(context),
    findPlan: (request) => findPlan(context, request),
    touchWaiting: () => context.store.setState({ userInputAt: context.options.now() }),
  };
}

async function loadProposals({ store, options }: StoreContext, requestId: string): Promise<void> {
  if (store.getState().proposals.has(requestId)) return;
  const proposals = await options.api.proposals(requestId).catch(noneIfRefused);
  if (proposals === undefined) return;
  store.setState((state) => ({ proposals: new Map(state.proposals).set(requestId, proposals) }));
}

/** An unreachable server has refused nothing: the request is retried later. */
const noneIfRefused = (error: unknown): ProposalList | undefined => (error instanceof ApiError && error.status === 0 ? undefined : { proposals: [] });

async function loadRole({ store, options }: StoreContext): Promise<void> {
  if (store.getState().role !== undefined) return;
  const me = await options.api.me().catch(() => undefined);
  if (me !== undefined) store.setState({ role: me.role });
}

async function findPlan({ store, options }: StoreContext, { requestId, sessionId, seq, toolUseId }: PlanRequest): Promise<void> {
  if (store.getState().plans.has(requestId)) return;
  const events = await options.api.eventsBefore(sessionId, seq, LOOK_BACK).catch(() => []);
  const call = events.findLast((event) => event.type === 'tool.started' && event.toolUseId === toolUseId);
  const plan = call?.type === 'tool.started' ? call.input.plan : undefined;
  if (typeof plan === 'string') store.setState((state) => ({ plans: new Map(state.plans).set(requestId, plan) }));
}
