import { memo } from 'react';
import type { Drawing } from '../steps/step-view.ts';
import type { Line } from './layout.ts';

const KINDS = ['waiting', 'passed', 'live', 'critical', 'removed', 'added'] as const;
type Kind = (typeof KINDS)[number];

interface GraphLinesProps {
  readonly lines: readonly Line[];
  readonly drawing: Drawing;
}

/** All lines of the graph, in one path per look: however many there are, they are a few elements. */
export const GraphLines = memo(function GraphLines({ lines, drawing }: GraphLinesProps) {
  const steps = new Map(drawing.steps.map((step) => [step.id, step]));
  const kindOf = ({ id, from, to }: Line): Kind => {
    const mark = drawing.lineMarks.get(id);
    if (mark !== undefined) return mark;
    if (steps.get(to)?.sign.shape === 'disc' && steps.get(from)?.isDone === true) return 'live';
    if (drawing.critical.has(from) && drawing.critical.has(to)) return 'critical';
    return steps.get(from)?.isDone === true ? 'passed' : 'waiting';
  };
  const kinds = new Map(lines.map((line) => [line, kindOf(line)]));
  return (
    <svg className="graph-lines" aria-hidden="true">
      {KINDS.map((kind) => {
        const d = lines.map((line) => (kinds.get(line) === kind ? line.path : '')).join('');
        return d !== '' && <path key={kind} className={kind} d={d} />;
      })}
    </svg>
  );
});
