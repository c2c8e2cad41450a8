import { useMemo } from 'react';
import { wholeSeconds } from '../../base/words/words.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { heardUntil } from '../../store/state/app-state.ts';

/** What stands below the last row while a turn runs: also when nothing is written, one sees that it goes on and for how long. Without a connection it stands still, at what was last heard. */
export function WorkingSign({ sessionId }: { readonly sessionId: string }) {
  const status = useApp((state) => state.sessions.get(sessionId)?.status);
  const events = useApp((state) => state.open.get(sessionId)?.transcript.events);
  const before = useApp((state) => state.open.get(sessionId)?.began);
  const began = useMemo(() => events?.findLast(({ type }) => type === 'turn.started') ?? before, [events, before]);
  const seconds = useApp((state) => (began === undefined ? 0 : Math.floor((heardUntil(state) - Date.parse(began.at)) / 1000)));
  const isHeard = useApp((state) => state.silentSince === undefined);
  // The glow comes and goes with the page's own clock, in every lamp at once: an animation has the whole page drawn anew many times a second for as long as any agent runs.
  const isGlowing = useApp((state) => state.silentSince === undefined && Math.floor(state.now / 1000) % 2 === 0);
  const lasts = status === 'busy' && began !== undefined && began.atKnown !== false && seconds > 0;
  const words = WORDS[status === 'starting' ? 'starting' : 'busy'][isHeard ? 'heard' : 'silent'];
  return (
    <p className="working-sign">
      <span className={isGlowing ? 'sign sign-live' : 'sign sign-live without-glow'} aria-hidden="true" />
      {words}
      {lasts && `, ${wholeSeconds(seconds)}`}
    </p>
  );
}

const WORDS = {
  starting: { heard: 'The agent starts', silent: 'The agent was starting when last heard' },
  busy: { heard: 'Works', silent: 'Was working when last heard' },
} as const;
