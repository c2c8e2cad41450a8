import { Star } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useActions } from '../../base/actions/actions-context.ts';
import { Choice } from '../../base/ui/filter-choice.tsx';
import { useTags } from '../../parts/dialogs/use-tags.ts';
import { useList } from '../../parts/session-list/use-session-list.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { type Filter, NO_FILTER, searchOf, TIMES } from '../../store/session-list/filter.ts';

interface FilterBarProps {
  readonly filter: Filter;
  readonly onChange: (part: Partial<Filter>) => void;
  readonly onClear: () => void;
}

const STATES = [
  ['busy', 'running'],
  ['waiting', 'waiting'],
  ['idle', 'idle'],
  ['sleeping', 'sleeping'],
  ['ended', 'ended'],
  ['failed', 'failed'],
] as const;
const CONTROLS = [
  ['here', 'held here'],
  ['elsewhere', 'held elsewhere'],
  ['none', 'held by nobody'],
] as const;

/** What the list is narrowed to, and how it is ordered. */
export function FilterBar({ filter, onChange, onClear }: FilterBarProps) {
  const agents = useApp((state) => state.agents) ?? [];
  const projects = useList((state) => state.projects) ?? [];
  const tags = useTags();
  const isNarrowed = Object.keys(searchOf({ ...filter, group: '' })).length > 0;
  return (
    <search className="filter-bar">
      <WordsField value={filter.q} onChange={(q) => onChange({ q })} />
      <Choice
        label="Agent"
        any="any agent"
        value={filter.agent}
        options={agents.map(({ id, title }) => [id, title])}
        onChange={(agent) => onChange({ agent })}
      />
      <Choice
        label="Project"
        any="any project"
        value={filter.project}
        options={projects.map(({ id, title }) => [id, title])}
        onChange={(project) => onChange({ project })}
      />
      <Choice label="Status" any="any state" value={filter.status} options={STATES} onChange={(status) => onChange({ status })} />
      <Choice label="Control" any="held by anyone" value={filter.control} options={CONTROLS} onChange={(control) => onChange({ control })} />
      {(tags.length > 0 || filter.tag !== '') && (
        <Choice label="Tag" any="any tag" value={filter.tag} options={tags.map(({ tag }) => [tag, tag])} onChange={(tag) => onChange({ tag })} />
      )}
      <Choice label="Time" any="any time" value={filter.time} options={TIMES} onChange={(time) => onChange({ time, from: '', to: '' })} />
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

/** Long enough that a word is one question, short enough that it feels like none. */
const PAUSE_MS = 150;

function WordsField({ value, onChange }: { readonly value: string; readonly onChange: (words: string) => void }) {
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
      aria-label="Words in the list"
      placeholder="Title, folder, last line"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => event.key === 'Escape' && field.current?.blur()}
    />
  );
}
