import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { shortPath } from './short-path.ts';

interface PathListProps {
  readonly paths: readonly string[];
  readonly cwd: string | undefined;
}

export const PathList = ({ paths, cwd }: PathListProps) => (
  <ul className="path-list">
    {paths.map((path) => (
      <li key={path} title={path}>
        <code>
          <VisibleLine text={shortPath(path, cwd)} />
        </code>
      </li>
    ))}
  </ul>
);
