import { SYSTEM } from '../../protocol/actor.ts';
import { type Rule, type RuleBody, RuleId } from '../../protocol/rule.ts';

/** A rule that does not exist, to see what it would do. */
export const asRule = (body: RuleBody): Rule => ({ ...body, id: PROBE, createdAt: '', createdBy: SYSTEM });

const PROBE = RuleId.parse('probe');
