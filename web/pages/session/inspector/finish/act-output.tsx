import { useEffect } from 'react';
import type { ActAnswer } from '../../../../../src/protocol/api/finish.ts';
import type { LongAct } from '../../../../../src/protocol/git.ts';
import { type ScriptId, scriptSessionOf } from '../../../../../src/protocol/ids.ts';
import { VisibleText } from '../../../../base/ui/visible-text.tsx';
import { useApp, useCockpit } from '../../../../store/cockpit-context.ts';
import type { Repository } from './finish-store.ts';

export const lastOf = (repo: Repository, act: ActAnswer['act']): ActAnswer | undefined => repo.recent.findLast((outcome) => outcome.act === act);

interface ActOutputProps {
  readonly repo: Repository;
  readonly act: LongAct;
  readonly last: ActAnswer | undefined;
  readonly done: (outcome: ActAnswer) => string;
}

/** What git and its hooks print while they run, then how it ended. */
export function ActOutput({ repo, act, last, done }: ActOutputProps) {
  if (repo.running?.act === act) return <Live scriptId={repo.running.scriptId} />;
  if (last === undefined) return null;
  if (last.ok) return <p role="status">{done(last)}</p>;
  return (
    <div className="finish-failed" role="status">
      <p>{act === 'commit' ? 'Not committed. What you staged is still staged.' : 'Not pushed.'}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <VisibleText text={last.message ?? ''} />
      </pre>
    </div>
  );
}

function Live({ scriptId }: { readonly scriptId: string }) {
  const sessionId = scriptSessionOf(scriptId as ScriptId);
  const cockpit = useCockpit();
  useEffect(() => {
    cockpit.openSession(sessionId);
    return () => cockpit.closeSession(sessionId);
  }, [cockpit, sessionId]);
  const text = useApp((state) =>
    (state.open.get(sessionId)?.transcript.events ?? []).flatMap((event) => (event.type === 'command.output' ? [event.text] : [])).join(''),
  );
  return (
    <div role="status">
      <p className="quiet">Running…</p>
      {text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre className="finish-output" tabIndex={0}>
          <VisibleText text={text.slice(-SHOWN_CHARS)} />
        </pre>
      )}
    </div>
  );
}

const SHOWN_CHARS = 8000;
