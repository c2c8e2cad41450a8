import { ChevronRight } from 'lucide-react';
import { createContext, use, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { childrenOf, itemOf } from '../../../src/domain/transcript/transcript.ts';
import { countText } from '../../base/words/words.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { shownOf } from '../../store/state/app-state.ts';
import { ItemBody } from './item-body.tsx';
import { branchFold } from './tools/branch-fold.ts';

interface ToolChildrenProps {
  readonly sessionId: string;
  readonly toolUseId: string;
}

const NONE: readonly string[] = [];
/** Of a branch that is folded up, its latest steps are seen: enough to tell that it moves, and where. */
const LATEST = 2;
/** A branch may be as long as a session: so many steps are drawn at a time. */
const PAGE = 40;
/** Agents were seen to nest subagents twice. What is drawn deeper than this could run the browser out of stack. */
const MOST_LEVELS = 16;
const LevelContext = createContext(0);

/** What a subagent does, on a branch line that rejoins: its latest steps, or as many as are asked for. */
export function ToolChildren({ sessionId, toolUseId }: ToolChildrenProps) {
  const cockpit = useCockpit();
  const keys = useApp(
    useShallow((state) => {
      const opened = state.open.get(sessionId);
      return opened === undefined ? NONE : childrenOf(shownOf(opened), toolUseId);
    }),
  );
  const isOpen = useApp((state) => state.expanded.get(branchFold(toolUseId)) === true);
  const [asked, setAsked] = useState(PAGE);
  const level = use(LevelContext);
  if (keys.length === 0) return null;
  if (level >= MOST_LEVELS) return <p className="branch-head">{countText(keys.length, 'step')} nested too deep to show here. The raw lines have them.</p>;
  const hidden = Math.max(0, keys.length - (isOpen ? asked : LATEST));
  const open = () => (isOpen ? setAsked(asked + PAGE) : cockpit.setExpanded(branchFold(toolUseId), true));
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
            <button type="button" className="text-button" onClick={() => cockpit.setExpanded(branchFold(toolUseId), false)}>
              Fold up
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
