interface SearchHelpProps {
  readonly onUse: (term: string) => void;
}

const WAYS = [
  ['cache key', 'both words, in any order'],
  ['"cache key"', 'exactly this phrase'],
  ['migrat*', 'words that begin so'],
  ['foo_bar(', 'a piece of code, with its signs'],
  ['path:src/app.ts', 'sessions that touched this file'],
  ['tool:Bash', 'calls of one tool'],
  ['kind:prompt', 'only what people asked; also answer, thinking, tool, output, diff, note, title'],
  ['is:error', 'only what failed'],
  ['agent:demo', 'sessions of one agent'],
  ['project:storefront', 'sessions of one project'],
  ['after:2026-01-01', 'from a day on; before: up to one'],
] as const;

/** What can be asked, to be pressed or learned. */
export function SearchHelp({ onUse }: SearchHelpProps) {
  return (
    <section className="search-help" aria-label="How to search">
      <p>
        Everything is searched: prompts, answers, thinking, tool calls and their outputs, file paths and changes, of all agents, also what was said in a
        terminal.
      </p>
      <dl>
        {WAYS.map(([term, words]) => (
          <div key={term}>
            <dt>
              <button type="button" className="mono" onClick={() => onUse(term)}>
                {term}
              </button>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
