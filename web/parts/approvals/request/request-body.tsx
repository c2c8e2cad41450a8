import { subjectOf } from '../../../../src/domain/permission/request-text.ts';
import { undescribedArguments } from '../../../../src/protocol/subject-fields.ts';
import { ArgumentsTree } from './arguments-tree.tsx';
import { CommandBody } from './command-body.tsx';
import { EditBody } from './edit-body.tsx';
import { OtherArguments } from './other-arguments.tsx';
import { PathList } from './path-list.tsx';
import type { Request } from './request.ts';
import { WebBody } from './web-body.tsx';

interface RequestBodyProps {
  readonly request: Request;
  readonly cwd: string | undefined;
}

/** Exactly what the request asks for, by kind. Nothing is left out: arguments without their own place are listed below. */
export function RequestBody({ request, cwd }: RequestBodyProps) {
  const { input } = request;
  const subject = subjectOf(request);
  const rest = undescribedArguments(subject, input);
  switch (subject.kind) {
    case 'command':
      return <CommandRequest command={subject.command} rest={rest} />;
    case 'edit':
      return <EditBody paths={subject.paths} input={input} cwd={cwd} />;
    case 'read':
      return (
        <>
          <PathList paths={subject.paths} cwd={cwd} />
          <OtherArguments rest={rest} />
        </>
      );
    case 'web':
      return (
        <>
          <WebBody url={subject.url} query={subject.query} />
          <OtherArguments rest={rest} />
        </>
      );
    case 'mcp':
    case 'other':
      return <ArgumentsTree value={input} />;
  }
}

/** The command comes first, then the agent's description of it. */
function CommandRequest({ command, rest }: { readonly command: string; readonly rest: Request['input'] }) {
  const { description, ...others } = rest;
  const hasNote = typeof description === 'string';
  return (
    <>
      <CommandBody command={command} note={hasNote ? description : undefined} />
      <OtherArguments rest={hasNote ? others : rest} />
    </>
  );
}
