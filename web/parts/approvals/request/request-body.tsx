import { subjectOf } from '../../../../src/domain/permission/wants.ts';
import { untoldArguments } from '../../../../src/protocol/subject-fields.ts';
import { AlsoList } from './also-list.tsx';
import { ArgumentsTree } from './arguments-tree.tsx';
import { CommandBody } from './command-body.tsx';
import { EditBody } from './edit-body.tsx';
import { PathList } from './path-list.tsx';
import type { Request } from './request.ts';
import { WebBody } from './web-body.tsx';

interface RequestBodyProps {
  readonly request: Request;
  readonly cwd: string | undefined;
}

/** Exactly what is asked for, by what it is about. Nothing is left out: what has no place of its own is listed below. */
export function RequestBody({ request, cwd }: RequestBodyProps) {
  const { input } = request;
  const subject = subjectOf(request);
  const rest = untoldArguments(subject, input);
  switch (subject.kind) {
    case 'command':
      return <CommandRequest command={subject.command} rest={rest} />;
    case 'edit':
      return <EditBody paths={subject.paths} input={input} cwd={cwd} />;
    case 'read':
      return (
        <>
          <PathList paths={subject.paths} cwd={cwd} />
          <AlsoList rest={rest} />
        </>
      );
    case 'web':
      return (
        <>
          <WebBody url={subject.url} query={subject.query} />
          <AlsoList rest={rest} />
        </>
      );
    case 'mcp':
    case 'other':
      return <ArgumentsTree value={input} />;
  }
}

/** The agent's own words about its command stand above it. */
function CommandRequest({ command, rest }: { readonly command: string; readonly rest: Request['input'] }) {
  const { description, ...others } = rest;
  const hasNote = typeof description === 'string';
  return (
    <>
      <CommandBody command={command} note={hasNote ? description : undefined} />
      <AlsoList rest={hasNote ? others : rest} />
    </>
  );
}
