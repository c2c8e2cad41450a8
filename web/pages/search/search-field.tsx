import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { useActions } from '../../base/actions/actions-context.ts';

interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (query: string) => void;
}

/** Long enough to send one request per word, short enough to feel immediate. */
const PAUSE_MS = 120;

/** Searches while typing. Down moves to the hits, / comes back. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => change.current(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  useEffect(() => field.current?.focus(), []);
  useActions({ 'list.words': () => field.current?.select(), 'list.next': () => stepHit(1), 'list.previous': () => stepHit(-1) });
  return (
    <div className="search-field">
      <Search size={16} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-label="Search everything"
        placeholder="Words, “a phrase”, foo_bar(, path:src/app.ts"
        autoComplete="off"
        spellCheck={false}
        maxLength={LIMITS.searchChars}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') change.current(typed);
          if (event.key === 'ArrowDown') stepHit(1);
          if (event.key === 'Escape') field.current?.blur();
        }}
      />
    </div>
  );
}

/** Moves the focus to the next or previous hit. */
function stepHit(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('.hit-link')];
  const at = links.findIndex((link) => link.matches(':focus'));
  const next = links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}
