interface ChoiceProps {
  readonly label: string;
  /** What it says when nothing is chosen. */
  readonly any: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

/** One condition of a filter: quiet until it narrows. */
export function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  const isKnown = value === '' || options.some(([id]) => id === value);
  return (
    <select className={value === '' ? 'choice' : 'choice narrowed'} aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{any}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(([id, words]) => (
        <option key={id} value={id}>
          {words}
        </option>
      ))}
    </select>
  );
}
