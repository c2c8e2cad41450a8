import { Link } from '@tanstack/react-router';
import type { ContextPoint } from '../../../src/protocol/api/health.ts';
import { momentText, tokensText } from '../../base/text/format.ts';
import { sparkOf } from './spark.ts';

const WIDTH = 280;
const HEIGHT = 56;

interface ContextLineProps {
  readonly sessionId: string;
  readonly timeline: readonly ContextPoint[];
  readonly window: number | undefined;
}

/** The context over the entire session, with a link to every compaction. */
export function ContextLine({ sessionId, timeline, window }: ContextLineProps) {
  const { points, drops } = sparkOf(
    timeline.map(({ tokens, compacted }) => (compacted ? -tokens : tokens)),
    window,
    WIDTH,
    HEIGHT,
  );
  return (
    <>
      <svg className="context-line" viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`} role="img" aria-label="Tokens in the context over time">
        <line className="spark-floor" x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} />
        <line className="spark-ceiling" x1="0" y1="0" x2={WIDTH} y2="0" />
        {drops.map((x) => (
          <line key={x} className="spark-drop" x1={x} y1="0" x2={x} y2={HEIGHT} />
        ))}
        <polyline points={points} />
      </svg>
      <p className="context-drops">
        {timeline
          .filter(({ compacted }) => compacted)
          .map(({ seq, at, tokens }) => (
            <Link key={seq} to="/s/$sessionId" params={{ sessionId }} hash={`e${seq}`} className="text-button">
              compacted {momentText(at)} at {tokensText(tokens)}
            </Link>
          ))}
      </p>
    </>
  );
}
