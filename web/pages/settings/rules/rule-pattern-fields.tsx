import type { DraftProps } from './rule-form.tsx';

const KINDS = [
  ['command', 'Command', 'npm test *', 'Literal words. * matches one word; at the end, any number.'],
  ['path', 'File', 'src/**/*.ts', 'Relative to the session’s folder unless it starts with /.'],
  ['host', 'Web host', '*.example.org', 'Start with *. to include subdomains.'],
  ['tool', 'Every call to a tool', '', 'Any arguments match.'],
] as const;

/** Allow or deny, what kind, which pattern and which tool. */
export function RulePatternFields({ draft, onChange }: DraftProps) {
  const [, , example, hint] = KINDS.find(([kind]) => kind === draft.by) ?? KINDS[0];
  return (
    <>
      <div className="field-row">
        <label className="field">
          <span>Action</span>
          <select value={draft.behavior} onChange={(event) => onChange({ behavior: event.target.value === 'deny' ? 'deny' : 'allow' })}>
            <option value="allow">Allow</option>
            <option value="deny">Deny</option>
          </select>
        </label>
        <label className="field">
          <span>Applies to</span>
          <select value={draft.by} onChange={(event) => onChange({ by: KINDS.find(([kind]) => kind === event.target.value)?.[0] ?? 'command' })}>
            {KINDS.map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
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
