import type { KeyboardEvent } from 'react';
import { lampOf } from '../../base/ui/lamp.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../base/ui/visible-text.tsx';
import { useApp } from '../../store/cockpit-context.ts';

interface TileTabsProps {
  readonly sessions: readonly string[];
  readonly active: string;
  readonly onChoose: (id: string) => void;
}

/** Tabs that choose the session on screen where only one fits. */
export function TileTabs({ sessions, active, onChoose }: TileTabsProps) {
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = sessions[(sessions.indexOf(active) + by + sessions.length) % sessions.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next);
  };
  return (
    <div className="tile-tabs" role="tablist" aria-label="Sessions" onKeyDown={onKey} tabIndex={-1}>
      {sessions.map((id) => (
        <TileTab key={id} sessionId={id} isActive={id === active} onChoose={() => onChoose(id)} />
      ))}
    </div>
  );
}

interface TileTabProps {
  readonly sessionId: string;
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

function TileTab({ sessionId, isActive, onChoose }: TileTabProps) {
  const session = useApp((state) => state.sessions.get(sessionId));
  const lamp = session === undefined ? undefined : lampOf(session);
  return (
    <button type="button" role="tab" aria-selected={isActive} tabIndex={isActive ? 0 : -1} onClick={onChoose}>
      {lamp !== undefined && <LampIcon shape={lamp.shape} />}
      <span>
        <VisibleLine text={session?.title ?? 'Session'} />
      </span>
      <span className="unseen">{lamp?.word}</span>
    </button>
  );
}
