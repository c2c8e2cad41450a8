import './step-meter.css';

interface StepMeterProps {
  readonly counts: Readonly<Record<string, number>>;
  readonly nodes: number;
}

/** How many steps are in which state, as one bar; the number of finished ones in words. */
export function StepMeter({ counts, nodes }: StepMeterProps) {
  const done = (counts.done ?? 0) + (counts.skipped ?? 0);
  const parts = [
    ['done', done],
    ['running', counts.running ?? 0],
    ['waiting', counts.waiting ?? 0],
    ['failed', counts.failed ?? 0],
  ] as const;
  return (
    <span className="step-meter">
      <span className="step-bar" aria-hidden="true">
        {parts.map(([name, count]) => count > 0 && <span key={name} className={name} style={{ width: `${(100 * count) / nodes}%` }} />)}
      </span>
      <span>{nodes === 0 ? 'no steps' : `${done} of ${nodes} done`}</span>
    </span>
  );
}
