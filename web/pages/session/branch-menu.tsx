import { Check, ChevronDown, Split } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Branch } from '../../../src/protocol/api/archive.ts';
import { countText, momentText } from '../../base/text/format.ts';
import { PopupMenu } from '../../base/ui/popup-menu.tsx';
import { useEventAddress } from '../../parts/address/use-event-address.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** A conversation that was continued from more than one point: chooses the branch to view. */
export default function BranchMenu({ sessionId }: { readonly sessionId: string }) {
  const count = useApp((state) => state.sessions.get(sessionId)?.past?.branches ?? 1);
  const windowAround = useApp((state) => state.open.get(sessionId)?.away?.branch);
  const text = windowAround === undefined ? 'this is the one the agent continues' : 'this is not the one the agent continues';
  const trigger = (
    <>
      <Split size={12} aria-hidden="true" />
      {count} branches
      <ChevronDown size={12} aria-hidden="true" />
    </>
  );
  return (
    <PopupMenu label={`${count} branches; ${text}`} className={windowAround === undefined ? 'chip setting' : 'chip setting chip-asked'} trigger={trigger}>
      <p className="menu-title">
        {count} branches; {text}
      </p>
      <Branches sessionId={sessionId} windowAround={windowAround} />
    </PopupMenu>
  );
}

function Branches({ sessionId, windowAround }: { readonly sessionId: string; readonly windowAround: number | undefined }) {
  const cockpit = useCockpit();
  const setEventAddress = useEventAddress();
  const [branches, setBranches] = useState<readonly Branch[]>();
  useEffect(() => void cockpit.branches(sessionId).then(setBranches), [cockpit, sessionId]);
  if (branches === undefined) return null;
  if (branches.length === 0) return <p className="menu-problem">Can’t load the branches. Try again when you’re connected.</p>;
  const view = ({ active, branch, lastSeq }: Branch) => {
    const isNavigating = setEventAddress(active ? 0 : lastSeq);
    if (active) cockpit.showEnd(sessionId);
    else if (!isNavigating) void cockpit.showBranch(sessionId, branch, lastSeq);
  };
  return branches.map((branch) => (
    <button
      key={branch.branch}
      type="button"
      aria-current={branch.active ? windowAround === undefined : branch.branch === windowAround}
      onClick={() => view(branch)}
    >
      <Check className="menu-check" size={13} aria-hidden="true" />
      {branch.title === '' ? `Branch ${branch.branch + 1}` : branch.title}
      <span className="quiet">
        {countText(branch.events, 'event')}, {momentText(branch.at)}
        {branch.active && ', active'}
      </span>
    </button>
  ));
}
