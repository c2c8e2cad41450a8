import * as z from 'zod/mini';
import { RulePattern } from '../../src/protocol/rule.ts';

/** A rule that would have allowed the request, from the narrowest on. */
const Proposal = z.object({ pattern: RulePattern, words: z.string(), wide: z.optional(z.boolean()) });
export type Proposal = z.infer<typeof Proposal>;

export const ProposalList = z.object({ proposals: z.array(Proposal) });
