import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Actor } from '../../../protocol/actor.ts';
import { isRefusal, type Refusal } from '../../../protocol/command.ts';
import { CommandAnswer, CreateRuleBody, ProposalList, RuleList } from '../../../protocol/http.ts';
import { type CommandId, RequestId } from '../../../protocol/ids.ts';
import { RuleBody, RuleId, RuleInUse, RuleTest } from '../../../protocol/rule.ts';
import { withoutDash } from '../../shared/fresh-id.ts';
import { type Answer, type Route, route, type Services } from '../route.ts';
import { newCommandId } from './session.ts';

export const RULE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/rules',
    role: 'viewer',
    summary: 'Rules that allow or deny without asking, who created them, and how often they were used',
    answer: { status: 200, schema: RuleList },
    handle: ({ engine }) => ({ status: 200, body: { rules: engine.rules() } }),
  }),
  route({
    method: 'POST',
    path: '/api/rules',
    role: 'owner',
    summary: 'Create a rule. It applies immediately, to open requests too; `replaces` revokes another rule at the same time',
    body: CreateRuleBody,
    answer: { status: 201, schema: RuleInUse },
    refusals: [404, 409],
    handle: (services, { body, actor }) => createRule(services, body, actor),
  }),
  route({
    method: 'POST',
    path: '/api/rules/test',
    role: 'owner',
    summary: 'Test what a rule would have done to past tool calls, without creating it',
    body: RuleBody,
    answer: { status: 200, schema: RuleTest },
    refusals: [404],
    handle: async ({ engine }, { body }) => {
      const test = await engine.tryRule(body);
      return isRefusal(test) ? test : { status: 200, body: test };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/rules/:id',
    role: 'owner',
    summary: 'Revoke a rule; its past decisions stand',
    params: z.object({ id: RuleId }),
    answer: { status: 200, schema: CommandAnswer },
    refusals: [404],
    handle: async ({ engine }, { params, actor }) => {
      const receipt = await engine.workspace({ type: 'rule.revoke', commandId: newCommandId(), ruleId: params.id }, actor);
      return isRefusal(receipt) ? receipt : { status: 200, body: { commandId: receipt.commandId, seq: receipt.seq } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/permissions/:requestId/proposals',
    role: 'driver',
    summary: 'Rules that could be created from an open request, narrowest first',
    params: z.object({ requestId: RequestId }),
    answer: { status: 200, schema: ProposalList },
    refusals: [404],
    handle: ({ engine }, { params }) => {
      const proposals = engine.proposals(params.requestId);
      return isRefusal(proposals) ? proposals : { status: 200, body: proposals };
    },
  }),
];

async function createRule({ engine }: Services, body: z.infer<typeof CreateRuleBody>, actor: Actor): Promise<Answer | Refusal> {
  const { commandId = newCommandId(), replaces, ...rule } = body;
  const ruleId = ruleIdOf(commandId);
  const receipt = await engine.workspace({ type: 'rule.create', commandId, ruleId, rule, ...(replaces !== undefined && { replaces }) }, actor);
  if (isRefusal(receipt)) return receipt;
  const made = engine.rules().find(({ id }) => id === ruleId);
  return made === undefined ? { refused: 'not-found', message: `The rule ${ruleId} was revoked meanwhile` } : { status: 201, body: made };
}

/** The id is derived from the command's id, so that the same request sent twice creates one rule. */
const ruleIdOf = (commandId: CommandId): RuleId => RuleId.parse(withoutDash(createHash('sha256').update(commandId).digest('base64url').slice(0, 22)));
