import { DiffView } from '../../diff/diff-view.tsx';
import { lineDiff } from '../../diff/line-diff.ts';

type Input = Readonly<Record<string, unknown>>;

interface PermissionChangeProps {
  readonly before: Input;
  readonly after: Input;
}

/** What a person changed in the arguments before allowing them; the call above shows only the original. */
export function PermissionChange({ before, after }: PermissionChangeProps) {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => name !== 'answers' && textOf(before[name]) !== textOf(after[name]),
  );
  if (changed.length === 0) return null;
  return (
    <>
      <p>Edited before it was allowed:</p>
      {changed.map((name) => (
        <DiffView key={name} path={name} lines={lineDiff(textOf(before[name]), textOf(after[name]))} />
      ))}
    </>
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
