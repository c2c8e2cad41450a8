import { useApp } from '../../store/cockpit-context.ts';

interface AgentSelectProps {
  readonly label: string;
  /** The entry for no choice; left out where one must be made. */
  readonly any?: string;
  readonly value: string;
  readonly onChange: (agent: string) => void;
}

/** One of the installed agents. A chosen one that is missing stays visible. */
export function AgentSelect({ label, any, value, onChange }: AgentSelectProps) {
  const agents = useApp((state) => state.agents) ?? [];
  const shown = agents.filter(({ id, available }) => available || id === value);
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {any !== undefined && <option value="">{any}</option>}
        {shown.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
        {value !== '' && !shown.some(({ id }) => id === value) && <option value={value}>{value}</option>}
      </select>
    </label>
  );
}
