interface ChoiceProps {
  readonly label: string;
  /** The label when nothing is chosen. */
  readonly any: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

/** One filter menu; highlighted only while it filters. */
export function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  const isKnown = value === '' || options.some(([id]) => id === value);
  return (
    <select className={value === '' ? 'choice' : 'choice narrowed'} aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{any}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  );
}
