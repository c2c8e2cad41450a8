import { memo, useMemo } from 'react';
import type { ToolItem } from '../../../src/domain/transcript/item.ts';
import { toolKind } from '../../../src/domain/transcript/tool-kind.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { CommentOnCall } from '../annotations/comment-on-call.tsx';
import { Fold } from '../common/fold.tsx';
import { parsePatch } from '../diff/patch.ts';
import { ToolChildren } from './tool-children.tsx';
import { ToolBody } from './tools/tool-body.tsx';
import { ToolErrorPreview } from './tools/tool-error-preview.tsx';
import { ToolOutcome } from './tools/tool-outcome.tsx';
import { toolSummary } from './tools/tool-summary.ts';
import { toolVerb } from './tools/tool-verb.ts';

/** A diff this short starts open. */
const SHORT_DIFF = 16;

/** A tool call: one line that opens on demand. A failure shows its reason right away; a subagent's steps follow below the call. */
export const ToolCard = memo(function ToolCard({ sessionId, item }: { readonly sessionId: string; readonly item: ToolItem }) {
  const input = item.started?.input;
  const kind = toolKind(item.name, input);
  const cwd = useApp((state) => state.sessions.get(sessionId)?.cwd);
  const patch = item.completed?.change?.patch;
  const diff = useMemo(() => (patch === undefined ? undefined : parsePatch(patch)), [patch]);
  const isShort = (diff !== undefined && diff.length > 0 && diff.length <= SHORT_DIFF) || item.completed?.images !== undefined;
  const label = (
    <span className="tool-line">
      <span className="tool-verb">{toolVerb(kind, item.name)}</span>
      <span className="tool-gist">{item.writing ? 'writing…' : toolSummary(kind, input, cwd)}</span>
      <ToolOutcome sessionId={sessionId} item={item} kind={kind} diff={diff} />
    </span>
  );
  if (item.writing) return <div className="tool">{label}</div>;
  return (
    <div className={item.completed?.isError ? 'tool tool-failed' : 'tool'}>
      <Fold foldKey={item.key} label={label} startsOpen={isShort}>
        <ToolBody item={item} kind={kind} diff={diff} />
        <CommentOnCall sessionId={sessionId} item={item} kind={kind} />
      </Fold>
      <ToolErrorPreview item={item} />
      {item.toolUseId !== undefined && <ToolChildren sessionId={sessionId} toolUseId={item.toolUseId} />}
    </div>
  );
});
