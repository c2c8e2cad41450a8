import type { Item } from '../../src/domain/transcript/item.ts';
import { TextBoundary } from '../ui/plain-text.tsx';
import { MarkLine } from './mark-line.tsx';
import { PermissionBlock } from './permission-block.tsx';
import { SeamLine } from './seam-line.tsx';
import { TextBlock } from './text-block.tsx';
import { ThinkingBlock } from './thinking-block.tsx';
import { ToolCard } from './tool-card.tsx';
import { TurnMark } from './turn-mark.tsx';
import { UnrecognisedLines } from './unrecognised-lines.tsx';
import { UserMessage } from './user-message.tsx';

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
