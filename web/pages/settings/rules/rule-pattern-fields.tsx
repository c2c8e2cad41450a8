import type { DraftProps } from './rule-form.tsx';

const KINDS = [
  ['command', 'a command', 'npm test *', 'Words as they are typed; * is any one word, and at the end any further ones.'],
  ['path', 'a file', 'src/**/*.ts', 'Relative to the session’s folder unless it begins with /.'],
  ['host', 'a web host', '*.example.org', '*. before the name takes its subdomains in.'],
  ['tool', 'every call of a tool', '', 'Whatever its arguments are.'],
] as const;

/** Allow or deny what: the kind, the pattern, and the tool it is about. */
export function RulePatternFields({ draft, onChange }: DraftProps) {
  const [, , example, hint] = KINDS.find(([kind]) => kind === draft.by) ?? KINDS[0];
  return (
    <>
      <div className="field-row">
        <label className="field">
          <span>The rule</span>
          <select value={draft.behavior} onChange={(event) => onChange({ behavior: event.target.value === 'deny' ? 'deny' : 'allow' })}>
            <option value="allow">allows</option>
            <option value="deny">denies</option>
          </select>
        </label>
        <label className="field">
          <span>What</span>
          <select value={draft.by} onChange={(event) => onChange({ by: KINDS.find(([kind]) => kind === event.target.value)?.[0] ?? 'command' })}>
            {KINDS.map(([kind, words]) => (
              <option key={kind} value={kind}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Tool (* for any)</span>
          <input className="mono" value={draft.tool} spellCheck={false} onChange={(event) => onChange({ tool: event.target.value })} />
        </label>
      </div>
      {draft.by !== 'tool' && (
        <label className="field">
          <span>Pattern</span>
          <input
            className="mono"
            value={draft.pattern}
            placeholder={example}
            spellCheck={false}
            autoCapitalize="off"
            aria-describedby="pattern-hint"
            onChange={(event) => onChange({ pattern: event.target.value })}
          />
        </label>
      )}
      <p id="pattern-hint" className="quiet">
        {hint}
      </p>
    </>
  );
}
