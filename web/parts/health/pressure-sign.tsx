import type { Pressure } from '../../../src/protocol/api/health.ts';

/** The shapes of the lamps: a diamond is a warning, a square means that something stopped. */
export function PressureSign({ pressure, hasProblem }: { readonly pressure: Pressure; readonly hasProblem: boolean }) {
  const shape = pressure === 'critical' || hasProblem ? 'square' : pressure === 'high' ? 'diamond' : 'none';
  return (
    <svg className="spark-sign" width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
      {shape === 'square' && <rect className="lamp-square" x="1" y="1" width="6" height="6" rx="1" />}
      {shape === 'diamond' && <path className="lamp-diamond" d="M4 0 8 4 4 8 0 4Z" />}
    </svg>
  );
}
