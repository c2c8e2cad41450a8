import type { Item } from '../../src/domain/transcript/item.ts';
import { MarkLine } from './mark-line.tsx';
import { PermissionBlock } from './permission-block.tsx';
import { SeamLine } from './seam-line.tsx';
import { TextBlock } from './text-block.tsx';
import { ThinkingBlock } from './thinking-block.tsx';
import { ToolCard } from './tool-card.tsx';
import { TurnMark } from './turn-mark.tsx';
import { UnrecognisedLines } from './unrecognised-lines.tsx';
import { UserMessage } from './user-message.tsx';

export function ItemBody({ sessionId, item }: { readonly sessionId: string; readonly item: Item }) {
  switch (item.kind) {
    case 'user':
      return <UserMessage sessionId={sessionId} item={item} />;
    case 'text':
      return <TextBlock sessionId={sessionId} item={item} />;
    case 'thinking':
      return <ThinkingBlock item={item} />;
    case 'tool':
      return <ToolCard sessionId={sessionId} item={item} />;
    case 'permission':
      return <PermissionBlock sessionId={sessionId} item={item} />;
    case 'turn':
      return <TurnMark sessionId={sessionId} item={item} />;
    case 'mark':
      return <MarkLine sessionId={sessionId} event={item.event} />;
    case 'seam':
      return <SeamLine item={item} />;
    case 'unrecognised':
      return <UnrecognisedLines item={item} />;
  }
}
