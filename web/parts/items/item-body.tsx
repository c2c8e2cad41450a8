import type { Item } from '../../../src/domain/transcript/item.ts';
import { TextBoundary } from '../../base/ui/plain-text.tsx';
import { MarkLine } from './events/mark-line.tsx';
import { PermissionBlock } from './events/permission-block.tsx';
import { SeamLine } from './events/session-start-line.tsx';
import { TurnMark } from './events/turn-mark.tsx';
import { UnrecognisedLines } from './events/unrecognized-lines.tsx';
import { TextBlock } from './messages/text-block.tsx';
import { ThinkingBlock } from './messages/thinking-block.tsx';
import { UserMessage } from './messages/user-message.tsx';
import { ToolCard } from './tool-card.tsx';

interface ItemBodyProps {
  readonly sessionId: string;
  readonly item: Item;
}

/** One item. If it cannot be drawn, its text is shown: while it is being written, and again when it is complete. */
export const ItemBody = (props: ItemBodyProps) => (
  <TextBoundary of={props.item.seq} text={() => textOf(props.item)}>
    <DrawnItem {...props} />
  </TextBoundary>
);

function textOf(item: Item): string {
  if ('text' in item && item.text !== undefined) return item.text;
  if (item.kind !== 'tool') return JSON.stringify(item, null, 2);
  return [item.name ?? '', JSON.stringify(item.started?.input, null, 2) ?? '', item.completed?.output ?? ''].filter((part) => part !== '').join('\n');
}

function DrawnItem({ sessionId, item }: ItemBodyProps) {
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
