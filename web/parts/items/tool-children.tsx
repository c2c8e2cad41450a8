import { ChevronRight } from 'lucide-react';
import { createContext, use, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { childrenOf, itemOf } from '../../../src/domain/transcript/transcript.ts';
import { countText } from '../../base/text/format.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { shownOf } from '../../store/state/app-state.ts';
import { ItemBody } from './item-body.tsx';
import { branchFoldKey } from './tools/subagent-branch.ts';

interface ToolChildrenProps {
  readonly sessionId: string;
  readonly toolUseId: string;
}

const NONE: readonly string[] = [];
/** A folded branch shows its latest steps: enough to see that the subagent is working, and on what. */
const LATEST = 2;
/** A branch may be as long as a session, so this many steps are rendered at a time. */
const PAGE = 40;
/** Real agents nest subagents two deep. Rendering deeper than this could exhaust the browser's stack. */
const MAX_LEVELS = 16;
const LevelContext = createContext(0);

/** A subagent's steps on a branch line: the latest ones, or as many as the person opened. */
export function ToolChildren({ sessionId, toolUseId }: ToolChildrenProps) {
  const cockpit = useCockpit();
  const keys = useApp(
    useShallow((state) => {
      const opened = state.open.get(sessionId);
      return opened === undefined ? NONE : childrenOf(shownOf(opened), toolUseId);
    }),
  );
  const isOpen = useApp((state) => state.expanded.get(branchFoldKey(toolUseId)) === true);
  const [shownCount, setShownCount] = useState(PAGE);
  const level = use(LevelContext);
  if (keys.length === 0) return null;
  if (level >= MAX_LEVELS) return <p className="branch-head">{countText(keys.length, 'step')} nested too deep to show here. See the Raw view.</p>;
  const hidden = Math.max(0, keys.length - (isOpen ? shownCount : LATEST));
  const open = () => (isOpen ? setShownCount(shownCount + PAGE) : cockpit.setExpanded(branchFoldKey(toolUseId), true));
  return (
    <ol className="branch">
      {(hidden > 0 || isOpen) && (
        <li className="branch-head">
          {hidden > 0 && (
            <button type="button" className="text-button" aria-expanded={isOpen} onClick={open}>
              <ChevronRight size={13} aria-hidden="true" /> {countText(hidden, 'earlier step')}
            </button>
          )}
          {isOpen && keys.length > LATEST && (
            <button type="button" className="text-button" onClick={() => cockpit.setExpanded(branchFoldKey(toolUseId), false)}>
              Collapse
            </button>
          )}
        </li>
      )}
      <LevelContext value={level + 1}>
        {keys.slice(hidden).map((key) => (
          <Child key={key} sessionId={sessionId} itemKey={key} />
        ))}
      </LevelContext>
    </ol>
  );
}

function Child({ sessionId, itemKey }: { readonly sessionId: string; readonly itemKey: string }) {
  const item = useApp((state) => {
    const opened = state.open.get(sessionId);
    return opened === undefined ? undefined : itemOf(shownOf(opened), itemKey);
  });
  if (item === undefined) return null;
  return (
    <li>
      <ItemBody sessionId={sessionId} item={item} />
    </li>
  );
}
