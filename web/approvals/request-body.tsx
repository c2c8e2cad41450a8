import { VisibleText } from '../ui/visible-text.tsx';
import { ArgumentsTree } from './arguments-tree.tsx';
import { CommandBody } from './command-body.tsx';
import { EditBody } from './edit-body.tsx';
import { type Request, subjectOf } from './request.ts';
import { shortPath } from './short-path.ts';
import { WebBody } from './web-body.tsx';

interface RequestBodyProps {
  readonly request: Request;
  readonly cwd: string | undefined;
}

/** Exactly what is asked for, by what it is about. Nothing is left out. */
export function RequestBody({ request, cwd }: RequestBodyProps) {
  const { input } = request;
  const subject = subjectOf(request);
  switch (subject.kind) {
    case 'command':
      return <CommandBody command={subject.command} note={noteOf(input)} />;
    case 'edit':
      return <EditBody paths={subject.paths} input={input} cwd={cwd} />;
    case 'read':
      return <PathList paths={subject.paths} cwd={cwd} />;
    case 'web':
      return <WebBody url={subject.url} query={subject.query} />;
    case 'mcp':
    case 'other':
      return <ArgumentsTree value={input} />;
  }
}

const noteOf = (input: Request['input']): string | undefined => (typeof input.description === 'string' ? input.description : undefined);

const PathList = ({ paths, cwd }: { readonly paths: readonly string[]; readonly cwd: string | undefined }) => (
  <ul className="path-list">
    {paths.map((path) => (
      <li key={path} title={path}>
        <code>
          <VisibleText text={shortPath(path, cwd)} />
        </code>
      </li>
    ))}
  </ul>
);
