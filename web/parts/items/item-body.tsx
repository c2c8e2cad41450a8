import type { ReactElement } from 'react';
import type { Item } from '../../../src/domain/transcript/item.ts';
import { TextBoundary } from '../../base/ui/plain-text.tsx';
import { MarkLine } from './events/mark-line.tsx';
import { PermissionBlock } from './events/permission-block.tsx';
import { SessionStartLine } from './events/session-start-line.tsx';
import { TurnMark } from './events/turn-mark.tsx';
import { UnrecognizedLines } from './events/unrecognized-lines.tsx';
import { TextBlock } from './messages/text-block.tsx';
import { ThinkingBlock } from './messages/thinking-block.tsx';
import { UserMessage } from './messages/user-message.tsx';
import { ToolCard } from './tool-card.tsx';

interface ItemBodyProps {
  readonly sessionId: string;
  readonly item: Item;
}

/** One item. If rendering fails, its text is shown instead; rendering is tried again when the item is complete. */
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

/** How each kind of item is drawn. The compiler requires an entry for every new kind. */
const DRAWINGS: { readonly [K in Item['kind']]: (item: Extract<Item, { kind: K }>, sessionId: string) => ReactElement } = {
  user: (item, sessionId) => <UserMessage sessionId={sessionId} item={item} />,
  text: (item, sessionId) => <TextBlock sessionId={sessionId} item={item} />,
  thinking: (item) => <ThinkingBlock item={item} />,
  tool: (item, sessionId) => <ToolCard sessionId={sessionId} item={item} />,
  permission: (item, sessionId) => <PermissionBlock sessionId={sessionId} item={item} />,
  turn: (item, sessionId) => <TurnMark sessionId={sessionId} item={item} />,
  mark: (item, sessionId) => <MarkLine sessionId={sessionId} event={item.event} />,
  seam: (item) => <SessionStartLine item={item} />,
  unrecognised: (item) => <UnrecognizedLines item={item} />,
};

/** The cast says what the compiler can't infer: the drawing for an item's kind takes that item. */
const DrawnItem = ({ sessionId, item }: ItemBodyProps) => (DRAWINGS[item.kind] as (item: Item, sessionId: string) => ReactElement)(item, sessionId);
