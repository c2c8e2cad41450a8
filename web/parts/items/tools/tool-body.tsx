import type { ToolItem } from '../../../../src/domain/transcript/item.ts';
import { todosOf } from '../../../../src/domain/transcript/todos.ts';
import type { ToolKind } from '../../../../src/domain/transcript/tool-kind.ts';
import { FullTextLink } from '../../common/full-text-link.tsx';
import { DiffView } from '../../diff/diff-view.tsx';
import { lineDiff } from '../../diff/line-diff.ts';
import { additions, type DiffLine } from '../../diff/patch.ts';
import { SafeLink } from '../../markdown/safe-link.tsx';
import { TodoList } from './todo-list.tsx';
import { OutputSoFar, ToolOutput } from './tool-output.tsx';

interface ToolBodyProps {
  readonly item: ToolItem;
  readonly kind: ToolKind;
  readonly diff: readonly DiffLine[] | undefined;
}

/** All details of the call, in a form that suits its kind. */
export function ToolBody({ item, kind, diff }: ToolBodyProps) {
  const input = item.started?.input ?? {};
  const todos = kind === 'todo' ? todosOf(input) : undefined;
  if (todos !== undefined) return <TodoList todos={todos} />;
  return (
    <div className="tool-body">
      <ToolInput input={input} kind={kind} diff={diff} />
      {Object.entries(item.started?.blobs ?? {}).map(([field, blob]) => (
        <FullTextLink key={field} blob={blob} />
      ))}
      {item.completed === undefined && item.outputSoFar !== undefined && <OutputSoFar text={item.outputSoFar} />}
      {item.completed !== undefined && (diff === undefined || diff.length === 0 || item.completed.isError) && <ToolOutput completed={item.completed} />}
    </div>
  );
}

interface ToolInputProps {
  readonly input: Readonly<Record<string, unknown>>;
  readonly kind: ToolKind;
  readonly diff: readonly DiffLine[] | undefined;
}

/** In most windows the card's own line shows this much of a command. */
const LINE_CHARS = 48;
const fitsLine = (command: string): boolean => command.length <= LINE_CHARS && !command.includes('\n');

function ToolInput({ input, kind, diff }: ToolInputProps) {
  if (diff !== undefined && diff.length > 0) return <DiffView lines={diff} />;
  if (kind === 'command' && typeof input.command === 'string') return fitsLine(input.command) ? null : <pre className="command">{input.command}</pre>;
  if (kind === 'write' && typeof input.content === 'string') return <DiffView lines={additions(input.content)} />;
  if (typeof input.old_string === 'string' && typeof input.new_string === 'string') return <DiffView lines={lineDiff(input.old_string, input.new_string)} />;
  if (kind === 'web' && typeof input.url === 'string') return <SafeLink href={input.url}>{input.url}</SafeLink>;
  if (typeof input.prompt === 'string') return <p className="tool-prompt">{input.prompt}</p>;
  const hasMore = Object.keys(input).length > 1 || kind === 'other';
  return hasMore ? <pre className="arguments">{JSON.stringify(input, null, 2)}</pre> : null;
}
