import type { TodoCount } from '../../../src/protocol/api/panel.ts';

/** More dots than these are one bar. */
const DOTS = 10;

/** Progress through the agent's own to-do list. */
export function TodoMeter({ done, total }: TodoCount) {
  const steps = Math.min(total, DOTS);
  const filled = Math.round((done / total) * steps);
  return (
    <span className="todo-meter" role="img" aria-label={`${done} of ${total} steps done`} title={`${done} of ${total} steps done`}>
      {Array.from({ length: steps }, (_, step) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its index
        <i key={step} className={step < filled ? 'done' : ''} />
      ))}
      <span className="todo-count">
        {done}/{total}
      </span>
    </span>
  );
}
