import { momentText, sizeText } from '../../../../base/words/words.ts';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useSides } from '../inspector-context.ts';
import { useSideSearch } from '../use-inspector-search.ts';
import type { RawState } from './raw-store.ts';

const SIDES = [
  ['out', 'printed'],
  ['in', 'given'],
  ['err', 'errors'],
] as const;

interface RawBarProps {
  readonly state: RawState;
  readonly filter: string;
  readonly onFilter: (words: string) => void;
  readonly isFollowing: boolean;
  readonly onFollow: (follows: boolean) => void;
  readonly words: string | undefined;
}

/** Which run, which side of it, and which of its lines. */
export function RawBar({ state, filter, onFilter, isFollowing, onFollow, words }: RawBarProps) {
  const [, change] = useSideSearch();
  const bytes = state.runs.find(({ run }) => run === state.run)?.bytes;
  return (
    <div className="raw-bar">
      <RunChoice state={state} onChoose={(run) => change({ run })} />
      {state.source === 'run' && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn with a frame by some browsers
        <div className="side-choice" role="group" aria-label="Which side">
          {SIDES.map(([side, title]) => (
            <button key={side} type="button" aria-pressed={state.side === side} onClick={() => change({ side: side === 'out' ? '' : side })}>
              {title}
              {bytes !== undefined && <span className="quiet"> {sizeText(bytes[side])}</span>}
            </button>
          ))}
        </div>
      )}
      <label className="raw-follow">
        <input type="checkbox" checked={isFollowing} onChange={(event) => onFollow(event.target.checked)} /> follow
      </label>
      <input
        type="search"
        className="raw-filter"
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
        placeholder="Only lines with…"
        aria-label="Only lines with these words"
      />
      <p className="quiet raw-words" role="status">
        {words}
      </p>
    </div>
  );
}

interface RunChoiceProps {
  readonly state: RawState;
  readonly onChoose: (run: string) => void;
}

function RunChoice({ state: { runs, run, source }, onChoose }: RunChoiceProps) {
  const { sessionId } = useSides();
  const hasRecord = useApp((app) => app.sessions.get(sessionId)?.past !== undefined);
  if (runs.length + Number(hasRecord) < 2) return null;
  return (
    <select aria-label="Which run" value={source === 'record' ? 'record' : (run ?? '')} onChange={(event) => onChoose(event.target.value)}>
      {hasRecord && <option value="record">the agent’s own record</option>}
      {runs.map((one, at) => (
        <option key={one.run} value={one.run}>
          run {at + 1}, {momentText(one.openedAt)}
        </option>
      ))}
    </select>
  );
}
