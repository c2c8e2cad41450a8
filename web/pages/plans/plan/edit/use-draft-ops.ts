import { useMemo } from 'react';
import * as z from 'zod/mini';
import { PlanOp } from '../../../../../src/protocol/plan.ts';
import { useFormDraft } from '../../../../parts/common/use-form-draft.ts';

const Draft = z.object({ ops: z.array(PlanOp) });
const NOTHING: z.infer<typeof Draft> = { ops: [] };

/** Changes that are not applied yet. A reload keeps them, in this tab. */
export function useDraftOps(planId: string) {
  const [{ ops }, save] = useFormDraft(`plan-ops:${planId}`, Draft, NOTHING);
  return useMemo(
    () => ({
      ops,
      add: (more: readonly PlanOp[]) => save({ ops: [...ops, ...more] }),
      undo: () => save(ops.length < 2 ? NOTHING : { ops: ops.slice(0, -1) }),
      clear: () => save(NOTHING),
    }),
    [ops, save],
  );
}
