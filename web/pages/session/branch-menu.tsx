import { Check, ChevronDown, Split } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Branch } from '../../../src/protocol/api/archive.ts';
import { PopupMenu } from '../../base/ui/popup-menu.tsx';
import { countText, momentText } from '../../base/words/words.ts';
import { usePlace } from '../../parts/address/use-event-address.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** A conversation that was gone on with from more than one place: which of its ways is looked at. */
export default function BranchMenu({ sessionId }: { readonly sessionId: string }) {
  const count = useApp((state) => state.sessions.get(sessionId)?.past?.branches ?? 1);
  const lookedAt = useApp((state) => state.open.get(sessionId)?.away?.branch);
  const words = lookedAt === undefined ? 'this is the one the agent would go on with' : 'this is another than the agent would go on with';
  const face = (
    <>
      <Split size={12} aria-hidden="true" />
      {count} ways
      <ChevronDown size={12} aria-hidden="true" />
    </>
  );
  return (
    <PopupMenu label={`${count} ways; ${words}`} className={lookedAt === undefined ? 'chip setting' : 'chip setting chip-asked'} face={face}>
      <p className="menu-title">
        {count} ways; {words}
      </p>
      <Branches sessionId={sessionId} lookedAt={lookedAt} />
    </PopupMenu>
  );
}

function Branches({ sessionId, lookedAt }: { readonly sessionId: string; readonly lookedAt: number | undefined }) {
  const cockpit = useCockpit();
  const place = usePlace();
  const [branches, setBranches] = useState<readonly Branch[]>();
  useEffect(() => void cockpit.branches(sessionId).then(setBranches), [cockpit, sessionId]);
  if (branches === undefined) return null;
  if (branches.length === 0) return <p className="menu-problem">They cannot be told now. Try again when the connection is back.</p>;
  const look = ({ active, branch, lastSeq }: Branch) => {
    const isOnItsWay = place(active ? 0 : lastSeq);
    if (active) cockpit.lookAtEnd(sessionId);
    else if (!isOnItsWay) void cockpit.lookAtBranch(sessionId, branch, lastSeq);
  };
  return branches.map((branch) => (
    <button key={branch.branch} type="button" aria-current={branch.active ? lookedAt === undefined : branch.branch === lookedAt} onClick={() => look(branch)}>
      <Check className="menu-check" size={13} aria-hidden="true" />
      {branch.title === '' ? `Way ${branch.branch + 1}` : branch.title}
      <span className="quiet">
        {countText(branch.events, 'event')}, {momentText(branch.at)}
        {branch.active && ', goes on'}
      </span>
    </button>
  ));
}
