import { DiffCount } from '../diff/diff-count.tsx';
import { DiffView } from '../diff/diff-view.tsx';
import { ArgumentsTree } from './arguments-tree.tsx';
import { changesOf } from './file-changes.ts';
import { OddWarning } from './odd-warning.tsx';
import { shortPath } from './short-path.ts';

interface EditBodyProps {
  readonly paths: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string | undefined;
}

/** What would change in each file; arguments that are no changes are shown as they are. */
export function EditBody({ paths, input, cwd }: EditBodyProps) {
  const changes = changesOf(paths, input);
  if (changes.length === 0) return <ArgumentsTree value={input} />;
  return changes.map(({ path, lines, note }) => (
    <section key={path} className="file-change">
      <p className="file-name" title={path}>
        <code>{shortPath(path, cwd)}</code>
        {note !== undefined && <span className="quiet">{note}</span>}
        <DiffCount lines={lines} />
      </p>
      <OddWarning text={lines.map((line) => line.text).join('\n')} />
      <DiffView lines={lines} />
    </section>
  ));
}
