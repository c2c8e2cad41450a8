import type { ToolItem } from '../../../src/domain/transcript/item.ts';
import type { ToolKind } from '../../../src/domain/transcript/tool-kind.ts';
import type { SessionId } from '../../../src/protocol/ids.ts';
import { useComment } from './comment-context.ts';

interface CommentOnCallProps {
  readonly sessionId: string;
  readonly item: ToolItem;
  readonly kind: ToolKind;
}

export function CommentOnCall({ sessionId, item, kind }: CommentOnCallProps) {
  const comment = useComment();
  const { toolUseId, started } = item;
  if (comment === undefined || toolUseId === undefined || started === undefined || started.inherited) return null;
  const command = kind === 'command' && typeof started.input.command === 'string' ? started.input.command : undefined;
  const target = { type: 'tool-call' as const, sessionId: sessionId as SessionId, toolUseId, ...(command !== undefined && { field: 'command' }) };
  const open = () => comment({ target, seq: started.seq, quote: command, title: 'this call' });
  return (
    <button type="button" className="text-button comment-call" onClick={open}>
      Comment
    </button>
  );
}
