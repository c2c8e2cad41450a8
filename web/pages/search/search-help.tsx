interface SearchHelpProps {
  readonly onUse: (term: string) => void;
}

const SYNTAX = [
  ['cache key', 'both words, in any order'],
  ['"cache key"', 'exactly this phrase'],
  ['migrat*', 'words starting with migrat'],
  ['foo_bar(', 'code, punctuation included'],
  ['path:src/app.ts', 'sessions that touched this file'],
  ['tool:Bash', 'calls to one tool'],
  ['kind:prompt', 'only prompts; also answer, thinking, tool, output, diff, note, title'],
  ['is:error', 'only failures'],
  ['agent:demo', 'sessions with one agent'],
  ['project:storefront', 'sessions in one project'],
  ['after:2026-01-01', 'on or after a date (also before:)'],
] as const;

/** The search syntax, as examples to click. */
export function SearchHelp({ onUse }: SearchHelpProps) {
  return (
    <section className="search-help" aria-label="How to search">
      <p>Searches prompts, answers, thinking, tool calls and their output, file paths and changes: every agent, including sessions from a terminal.</p>
      <dl>
        {SYNTAX.map(([term, meaning]) => (
          <div key={term}>
            <dt>
              <button type="button" className="mono" onClick={() => onUse(term)}>
                {term}
              </button>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
