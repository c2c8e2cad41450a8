import type { TodoCount } from '../../../src/protocol/api/panel.ts';

/** More dots than these are one bar. */
const DOTS = 10;

/** How far the agent's own list of things to do has come. */
export function TodoMeter({ done, total }: TodoCount) {
  const steps = Math.min(total, DOTS);
  const filled = Math.round((done / total) * steps);
  return (
    <span className="todo-meter" role="img" aria-label={`${done} of ${total} steps done`} title={`${done} of ${total} steps done`}>
      {Array.from({ length: steps }, (_, step) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
        <i key={step} className={step < filled ? 'done' : ''} />
      ))}
      <span className="todo-count">
        {done}/{total}
      </span>
    </span>
  );
}
