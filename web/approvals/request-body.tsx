import { toolKind } from '../../src/domain/transcript/tool-kind.ts';
import { DiffView } from '../diff/diff-view.tsx';
import { additions, replacement } from '../diff/patch.ts';
import { Markdown } from '../markdown/markdown.tsx';
import type { Request } from './request.ts';

/** Exactly what is asked for: the command, the change, or the arguments. Nothing is left out. */
export function RequestBody({ request }: { readonly request: Request }) {
  const { input } = request;
  if (request.kind === 'plan' && typeof input.plan === 'string') return <Markdown text={input.plan} />;
  const kind = toolKind(request.tool, input);
  if (kind === 'command' && typeof input.command === 'string') return <CommandBody command={input.command} description={input.description} />;
  const path = typeof input.file_path === 'string' ? input.file_path : undefined;
  if (typeof input.old_string === 'string' && typeof input.new_string === 'string') {
    return <DiffView path={path} lines={replacement(input.old_string, input.new_string)} />;
  }
  if (kind === 'write' && typeof input.content === 'string') return <DiffView path={path} lines={additions(input.content)} />;
  return <pre className="arguments">{JSON.stringify(input, null, 2)}</pre>;
}

function CommandBody({ command, description }: { readonly command: string; readonly description: unknown }) {
  return (
    <>
      {typeof description === 'string' && <p className="request-note">{description}</p>}
      <pre className="command">{command}</pre>
    </>
  );
}
