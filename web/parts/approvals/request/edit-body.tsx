import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { DiffCount } from '../../diff/diff-count.tsx';
import { DiffView } from '../../diff/diff-view.tsx';
import { ArgumentsTree } from './arguments-tree.tsx';
import { changesOf, type FileChange } from './file-changes.ts';
import { HiddenCharacterWarning } from './hidden-character-warning.tsx';
import { OtherArguments } from './other-arguments.tsx';
import { PathList } from './path-list.tsx';
import { shortPath } from './short-path.ts';

interface EditBodyProps {
  readonly paths: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string | undefined;
}

/** The change to each file; arguments that are not changes are shown as a tree. */
export function EditBody({ paths, input, cwd }: EditBodyProps) {
  const { changes, rest } = changesOf(paths, input);
  const unchangedPaths = paths.filter((path) => !changes.some((change) => change.path === path));
  return (
    <>
      {unchangedPaths.length > 0 && <PathList paths={unchangedPaths} cwd={cwd} />}
      {changes.map((change) => (
        <ChangeView key={change.path} change={change} cwd={cwd} />
      ))}
      {changes.length === 0 ? <ArgumentsTree value={rest} /> : <OtherArguments rest={rest} />}
    </>
  );
}

function ChangeView({ change: { path, lines, note }, cwd }: { readonly change: FileChange; readonly cwd: string | undefined }) {
  return (
    <section className="file-change">
      <p className="file-name" title={path}>
        <code>
          <VisibleLine text={shortPath(path, cwd)} />
        </code>
        {note !== undefined && <span className="quiet">{note}</span>}
        <DiffCount lines={lines} />
      </p>
      <HiddenCharacterWarning text={lines.map((line) => line.text).join('\n')} />
      {lines.length === 0 ? <p className="request-note">Empty file.</p> : <DiffView lines={lines} />}
    </section>
  );
}
