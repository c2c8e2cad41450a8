import { EllipsisVertical } from 'lucide-react';
import { useRef } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';

const ALIVE = new Set(['starting', 'busy', 'waiting', 'idle']);

export function SessionMenu({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const menu = useRef<HTMLDetailsElement>(null);
  const session = useApp((state) => state.sessions.get(sessionId));
  if (session === undefined) return null;
  const close = () => menu.current?.removeAttribute('open');
  const choose = (act: () => Promise<void>) => () => {
    close();
    void act();
  };
  return (
    <details ref={menu} className="menu" onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || close()}>
      <summary className="icon-button" aria-label="More">
        <EllipsisVertical size={18} aria-hidden="true" />
      </summary>
      <div className="menu-list">
        <button type="button" onClick={choose(() => navigator.clipboard.writeText(session.cwd))}>
          Copy folder <span className="quiet mono">{session.cwd}</span>
        </button>
        <button type="button" onClick={choose(() => navigator.clipboard.writeText(sessionId))}>
          Copy session id
        </button>
        <button type="button" disabled={!ALIVE.has(session.status)} onClick={choose(() => cockpit.stop(sessionId))}>
          Stop the agent <span className="quiet">your next message wakes it</span>
        </button>
      </div>
    </details>
  );
}
