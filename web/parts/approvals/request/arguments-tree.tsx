import { Fragment } from 'react';
import { VisibleLine, VisibleText } from '../../../base/ui/visible-text.tsx';

/** Deeper than this is shown as text. */
const DEPTH = 6;

interface ArgumentsTreeProps {
  readonly value: unknown;
  readonly depth?: number;
}

/** Arguments as names and values, nested ones indented. Nothing is left out. */
export function ArgumentsTree({ value, depth = 0 }: ArgumentsTreeProps) {
  if (typeof value === 'string') return <LeafText text={value} />;
  if (typeof value !== 'object' || value === null || depth >= DEPTH) return <LeafText text={JSON.stringify(value) ?? 'nothing'} />;
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="leaf quiet">{Array.isArray(value) ? 'empty list' : 'nothing'}</span>;
  return (
    <dl className="tree">
      {entries.map(([name, part]) => (
        <Fragment key={name}>
          <dt>
            <VisibleLine text={Array.isArray(value) ? `${Number(name) + 1}.` : name} />
          </dt>
          <dd>
            <ArgumentsTree value={part} depth={depth + 1} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

const LeafText = ({ text }: { readonly text: string }) => (
  <span className="leaf leaf-text">
    <VisibleText text={text} />
  </span>
);
