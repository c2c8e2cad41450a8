import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { useActions } from '../../base/actions/actions-context.ts';
import { stepHit } from './step-hit.ts';

interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (words: string) => void;
}

/** Long enough that a word is one question, short enough that the hits follow the fingers. */
const PAUSE_MS = 120;

/** Answers while somebody types. Down goes to the hits, / comes back. */
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
