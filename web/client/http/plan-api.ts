import type * as z from 'zod/mini';
import {
  type CreatePlanBody,
  type GateBody,
  OpsAnswer,
  PlanAnswer,
  PlanFile,
  PlanList,
  PlanQueue,
  PlanState,
  type PlanSummary,
  ProposalList,
} from '../../../src/protocol/api/plan.ts';
import type { PlanOp } from '../../../src/protocol/plan.ts';
import { caller } from './api.ts';

export type PlanVerb = 'start' | 'pause' | 'resume' | 'cancel';
export type StepVerb = 'retry' | 'resume' | 'skip';
export type PlanNow = z.infer<typeof PlanAnswer>;
export type PreviewedOps = z.infer<typeof OpsAnswer>;
export type ListedProposal = z.infer<typeof ProposalList>['proposals'][number];

/** Plans. Throws the server's message if it refuses. The same `commandId` does nothing more. */
export interface PlanApi {
  list(filter: Readonly<Record<string, string>>): Promise<readonly PlanSummary[]>;
  get(id: string): Promise<PlanNow>;
  create(body: CreatePlanBody): Promise<PlanState>;
  /** An agent proposes the steps, in a session of its own. */
  generate(id: string, task: string, agent?: string): Promise<void>;
  remove(id: string): Promise<void>;
  act(id: string, verb: PlanVerb, commandId: string): Promise<void>;
  /** `dryRun`: what these changes would do. */
  ops(id: string, base: number, ops: readonly PlanOp[], options: { readonly dryRun: true } | { readonly commandId: string }): Promise<PreviewedOps>;
  proposals(id: string): Promise<readonly ListedProposal[]>;
  decideProposal(id: string, proposalId: string, behavior: 'accept' | 'reject', commandId: string): Promise<void>;
  actOnStep(id: string, node: string, verb: StepVerb, commandId: string, words?: string): Promise<void>;
  decideGate(id: string, node: string, answer: Omit<z.infer<typeof GateBody>, 'commandId'>, commandId: string): Promise<void>;
  note(id: string, node: string, note: { readonly notes?: string; readonly tags?: readonly string[] }): Promise<void>;
  queue(): Promise<PlanQueue>;
  file(id: string): Promise<PlanFile>;
  importFile(cwd: string, file: PlanFile): Promise<PlanState>;
}

export function createPlanApi(base: string): PlanApi {
  const call = caller(base);
  const path = (id: string, more = ''): string => `api/plans/${encodeURIComponent(id)}${more}`;
  const step = (id: string, node: string, more = ''): string => path(id, `/nodes/${encodeURIComponent(node)}${more}`);
  return {
    list: async (filter) => PlanList.parse(await call('GET', `api/plans?${new URLSearchParams(filter)}`)).plans,
    get: async (id) => PlanAnswer.parse(await call('GET', path(id))),
    create: async (body) => PlanState.parse(await call('POST', 'api/plans', body)),
    generate: async (id, task, agent) => void (await call('POST', path(id, '/generate'), { task, ...(agent !== undefined && agent !== '' && { agent }) })),
    remove: async (id) => void (await call('DELETE', path(id))),
    act: async (id, verb, commandId) => void (await call('POST', path(id, `/${verb}`), { commandId })),
    ops: async (id, revision, ops, options) => OpsAnswer.parse(await call('POST', path(id, '/ops'), { base: revision, ops, ...options })),
    proposals: async (id) => ProposalList.parse(await call('GET', path(id, '/proposals'))).proposals,
    decideProposal: async (id, proposalId, behavior, commandId) =>
      void (await call('POST', path(id, `/proposals/${encodeURIComponent(proposalId)}`), { behavior, commandId })),
    actOnStep: async (id, node, verb, commandId, words) =>
      void (await call('POST', step(id, node, `/${verb}`), { commandId, ...(words !== undefined && { words }) })),
    decideGate: async (id, node, answer, commandId) => void (await call('POST', step(id, node, '/gate'), { ...answer, commandId })),
    note: async (id, node, note) => void (await call('PATCH', step(id, node), note)),
    queue: async () => PlanQueue.parse(await call('GET', 'api/plans/queue')),
    importFile: async (cwd, file) => PlanState.parse(await call('POST', 'api/plans/import', { cwd, file })),
    file: async (id) => PlanFile.parse(await call('GET', path(id, '/export'))),
  };
}
