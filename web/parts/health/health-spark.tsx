import type { HealthBrief } from '../../../src/protocol/session.ts';
import { briefText } from './health-text.ts';
import { PressureSign } from './pressure-sign.tsx';
import { sparkOf } from './spark.ts';

const WIDTH = 56;
const HEIGHT = 14;

/** A session's context over time, small enough for a row; the sign next to it marks a problem. */
export function HealthSpark({ brief }: { readonly brief: HealthBrief }) {
  const text = briefText(brief);
  if (text === '') return null;
  const { points, drops } = sparkOf(brief.line, brief.windowTokens, WIDTH, HEIGHT);
  return (
    <span className={`spark pressure-${brief.pressure}`} role="img" aria-label={text} title={text}>
      {points !== '' && (
        <svg width={WIDTH} height={HEIGHT + 2} viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`} aria-hidden="true">
          <line className="spark-floor" x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} />
          {drops.map((x) => (
            <line key={x} className="spark-drop" x1={x} y1="0" x2={x} y2={HEIGHT} />
          ))}
          <polyline points={points} />
        </svg>
      )}
      <PressureSign pressure={brief.pressure} hasProblem={brief.cause !== undefined || brief.findings.length > 0} />
    </span>
  );
}
