import { momentText, sizeText } from '../../../../base/text/format.ts';
import { useApp } from '../../../../store/cockpit-context.ts';
import { useInspector } from '../inspector-context.ts';
import { useInspectorSearch } from '../use-inspector-search.ts';
import type { RawState } from './raw-store.ts';

const STREAMS = [
  ['out', 'Output'],
  ['in', 'Input'],
  ['err', 'Errors'],
] as const;

interface RawBarProps {
  readonly state: RawState;
  readonly filter: string;
  readonly onFilter: (summary: string) => void;
  readonly isFollowing: boolean;
  readonly onFollow: (follows: boolean) => void;
  readonly summary: string | undefined;
}

/** Choice of run and stream, and the filter. */
export function RawBar({ state, filter, onFilter, isFollowing, onFollow, summary }: RawBarProps) {
  const [, change] = useInspectorSearch();
  const bytes = state.runs.find(({ run }) => run === state.run)?.bytes;
  return (
    <div className="raw-bar">
      <RunChoice state={state} onChoose={(run) => change({ run })} />
      {state.source === 'run' && (
        // biome-ignore lint/a11y/useSemanticElements: some browsers draw a fieldset with a border
        <div className="side-choice" role="group" aria-label="Stream">
          {STREAMS.map(([side, title]) => (
            <button key={side} type="button" aria-pressed={state.side === side} onClick={() => change({ side: side === 'out' ? '' : side })}>
              {title}
              {bytes !== undefined && <span className="quiet"> {sizeText(bytes[side])}</span>}
            </button>
          ))}
        </div>
      )}
      <label className="raw-follow">
        <input type="checkbox" checked={isFollowing} onChange={(event) => onFollow(event.target.checked)} /> Follow
      </label>
      <input
        type="search"
        className="raw-filter"
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
        placeholder="Filter lines"
        aria-label="Filter lines"
      />
      <p className="quiet raw-words" role="status">
        {summary}
      </p>
    </div>
  );
}

interface RunChoiceProps {
  readonly state: RawState;
  readonly onChoose: (run: string) => void;
}

function RunChoice({ state: { runs, run, source }, onChoose }: RunChoiceProps) {
  const { sessionId } = useInspector();
  const hasRecord = useApp((app) => app.sessions.get(sessionId)?.past !== undefined);
  if (runs.length + Number(hasRecord) < 2) return null;
  return (
    <select aria-label="Run" value={source === 'record' ? 'record' : (run ?? '')} onChange={(event) => onChoose(event.target.value)}>
      {hasRecord && <option value="record">Agent’s session file</option>}
      {runs.map((one, at) => (
        <option key={one.run} value={one.run}>
          Run {at + 1}, {momentText(one.openedAt)}
        </option>
      ))}
    </select>
  );
}
