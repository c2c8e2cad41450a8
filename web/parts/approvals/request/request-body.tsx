import { subjectOf } from '../../../../src/domain/permission/request-text.ts';
import { isTrustRequest } from '../../../../src/domain/worktree/trust-request.ts';
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
      return <CommandRequest command={subject.command} rest={isTrustRequest(request.requestId) ? withoutShown(rest, subject.command) : rest} />;
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

/** A script is among all scripts of its repository; its text is shown already, the other ones are accepted with it. */
function withoutShown({ scripts, ...rest }: Request['input'], command: string): Request['input'] {
  const others = Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {}).filter(([, text]) => text !== command && text !== undefined);
  return others.length === 0 ? rest : { ...rest, scripts: Object.fromEntries(others) };
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
