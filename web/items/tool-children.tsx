import { useShallow } from 'zustand/react/shallow';
import { childrenOf, itemOf } from '../../src/domain/transcript/transcript.ts';
import { useApp } from '../app/cockpit-context.ts';
import { shownOf } from '../store/app-state.ts';
import { ItemBody } from './item-body.tsx';

interface ToolChildrenProps {
  readonly sessionId: string;
  readonly toolUseId: string;
}

const NONE: readonly string[] = [];

/** What a subagent does, on a branch line that rejoins. */
export function ToolChildren({ sessionId, toolUseId }: ToolChildrenProps) {
  const keys = useApp(
    useShallow((state) => {
      const opened = state.open.get(sessionId);
      return opened === undefined ? NONE : childrenOf(shownOf(opened), toolUseId);
    }),
  );
  if (keys.length === 0) return null;
  return (
    <ol className="branch">
      {keys.map((key) => (
        <Child key={key} sessionId={sessionId} itemKey={key} />
      ))}
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
