import { Star } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useActions } from '../../base/actions/actions-context.ts';
import { Choice } from '../../base/ui/filter-choice.tsx';
import { useTags } from '../../parts/dialogs/use-tags.ts';
import { useSessionListState } from '../../parts/session-list/use-session-list.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { type Filter, NO_FILTER, searchOf, TIMES } from '../../store/session-list/filter.ts';

interface FilterBarProps {
  readonly filter: Filter;
  readonly onChange: (part: Partial<Filter>) => void;
  readonly onClear: () => void;
}

const STATES = [
  ['busy', 'Running'],
  ['waiting', 'Waiting'],
  ['idle', 'Idle'],
  ['sleeping', 'Sleeping'],
  ['ended', 'Ended'],
  ['failed', 'Failed'],
] as const;
const CONTROLS = [
  ['here', 'Open in: Signalbox'],
  ['elsewhere', 'Open in: a terminal'],
  ['none', 'Open in: nothing'],
] as const;

/** The filters of the list, and its grouping. */
export function FilterBar({ filter, onChange, onClear }: FilterBarProps) {
  const agents = useApp((state) => state.agents) ?? [];
  const projects = useSessionListState((state) => state.projects) ?? [];
  const tags = useTags();
  const isNarrowed = Object.keys(searchOf({ ...filter, group: '' })).length > 0;
  return (
    <search className="filter-bar">
      <FilterField value={filter.q} onChange={(q) => onChange({ q })} />
      <Choice
        label="Agent"
        any="Any agent"
        value={filter.agent}
        options={agents.map(({ id, title }) => [id, title])}
        onChange={(agent) => onChange({ agent })}
      />
      <Choice
        label="Project"
        any="Any project"
        value={filter.project}
        options={projects.map(({ id, title }) => [id, title])}
        onChange={(project) => onChange({ project })}
      />
      <Choice label="Status" any="Any status" value={filter.status} options={STATES} onChange={(status) => onChange({ status })} />
      <Choice label="Open in" any="Open in: any" value={filter.control} options={CONTROLS} onChange={(control) => onChange({ control })} />
      {(tags.length > 0 || filter.tag !== '') && (
        <Choice label="Tag" any="Any tag" value={filter.tag} options={tags.map(({ tag }) => [tag, tag])} onChange={(tag) => onChange({ tag })} />
      )}
      <Choice label="Time" any="Any time" value={filter.time} options={TIMES} onChange={(time) => onChange({ time, from: '', to: '' })} />
      {filter.time === 'between' && (
        <>
          <input type="date" aria-label="From" value={filter.from} onChange={(event) => onChange({ from: event.target.value })} />
          <input type="date" aria-label="To" value={filter.to} onChange={(event) => onChange({ to: event.target.value })} />
        </>
      )}
      <Toggle label="Starred" isOn={filter.star === 'true'} onChange={(isOn) => onChange({ star: isOn ? 'true' : '' })} />
      <Toggle label="Archived" isOn={filter.archived === 'true'} onChange={(isOn) => onChange({ archived: isOn ? 'true' : '' })} />
      <Toggle label="By project" isOn={filter.group === 'project'} onChange={(isOn) => onChange({ group: isOn ? 'project' : NO_FILTER.group })} />
      {isNarrowed && (
        <button type="button" className="text-button" onClick={onClear}>
          Clear
        </button>
      )}
    </search>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Toggle({ label, isOn, onChange }: ToggleProps) {
  return (
    <button type="button" className="filter-toggle" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {label === 'Starred' && <Star size={13} aria-hidden="true" />}
      {label}
    </button>
  );
}

/** Long enough to send one request per word, short enough to feel immediate. */
const PAUSE_MS = 150;

function FilterField({ value, onChange }: { readonly value: string; readonly onChange: (query: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  useActions({ 'list.words': () => field.current?.focus() });
  return (
    <input
      ref={field}
      type="search"
      className="filter-words"
      aria-label="Filter sessions"
      placeholder="Filter sessions"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => event.key === 'Escape' && field.current?.blur()}
    />
  );
}
