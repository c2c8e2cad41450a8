import { useEffect } from 'react';
import type { ProposalList } from '../../../../src/protocol/http.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';

/** The rules that the server proposes for a request; loaded again whenever the connection comes back. */
export function useProposals(requestId: string): ProposalList | undefined {
  const cockpit = useCockpit();
  const isOpen = useApp((state) => state.phase.name === 'open');
  useEffect(() => {
    if (isOpen) void cockpit.loadProposals(requestId);
  }, [cockpit, isOpen, requestId]);
  return useApp((state) => state.proposals.get(requestId));
}
