import { useEffect } from 'react';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import type { Request } from './request.ts';

/** The text of a plan. Some agent versions send it with the call and not with the request; then it is read from there. */
export function usePlan(request: Request): string | undefined {
  const cockpit = useCockpit();
  const { requestId, sessionId, seq, toolUseId, kind, input } = request;
  const own = kind === 'plan' && typeof input.plan === 'string' ? input.plan : undefined;
  const found = useApp((state) => state.plans.get(requestId));
  const isOpen = useApp((state) => state.phase.name === 'open');
  const isMissing = kind === 'plan' && own === undefined;
  useEffect(() => {
    if (isOpen && isMissing && toolUseId !== undefined) void cockpit.findPlan({ requestId, sessionId, seq, toolUseId });
  }, [cockpit, isOpen, isMissing, requestId, sessionId, seq, toolUseId]);
  return own ?? (isMissing ? found : undefined);
}
