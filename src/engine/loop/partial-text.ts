import type { Delta } from '../../protocol/frame.ts';
import type { PartialObservation } from '../../protocol/observation.ts';

type Piece = Extract<PartialObservation, { type: 'delta' }>;

/** One item's text. New text is stored separately, so that adding a piece costs only its own length. */
interface Item {
  readonly head: Omit<Delta, 'text' | 'offset'>;
  published: string;
  fresh: string;
}

/** The text in progress of one run: the full text for new subscribers, and what was added since the last call. */
export class PartialText {
  private readonly items = new Map<string, Item>();
  private readonly touched = new Set<Item>();
  /** The last touched item: its pieces usually come in a row. */
  private last: Item | undefined;

  constructor(restored: readonly Delta[] = []) {
    for (const { text, offset: _, ...head } of restored) this.items.set(head.itemId, { head, published: text, fresh: '' });
  }

  /** Adds the part that is new. A piece that starts after the known text is added unchanged: the agent's offset wins. */
  add(piece: Piece): void {
    const item = this.last?.head.itemId === piece.itemId ? this.last : this.find(piece);
    const surplus = item.published.length + item.fresh.length - piece.offset;
    if (surplus >= piece.text.length && piece.text.length > 0) return;
    item.fresh += surplus > 0 ? piece.text.slice(surplus) : piece.text;
    if (item === this.last) return;
    this.touched.add(item);
    this.last = item;
  }

  private find(piece: Piece): Item {
    const known = this.items.get(piece.itemId);
    if (known !== undefined) return known;
    const { type: _, text: _text, offset: _offset, ...head } = piece;
    const item: Item = { head, published: '', fresh: '' };
    this.items.set(piece.itemId, item);
    return item;
  }

  drop(itemId: string): boolean {
    const item = this.items.get(itemId);
    if (item === undefined) return false;
    this.touched.delete(item);
    this.last = undefined;
    return this.items.delete(itemId);
  }

  /** Removes all items and returns their ids. */
  clear(): readonly string[] {
    const ids = [...this.items.keys()];
    this.items.clear();
    this.touched.clear();
    this.last = undefined;
    return ids;
  }

  full(): readonly Delta[] {
    return [...this.items.values()].map(({ head, published, fresh }) => ({ ...head, text: published + fresh, offset: 0 }));
  }

  /** What was added since the last call, one piece per item. */
  takeNew(): readonly Delta[] {
    const added: Delta[] = [];
    for (const item of this.touched) {
      added.push({ ...item.head, text: item.fresh, offset: item.published.length });
      item.published += item.fresh;
      item.fresh = '';
    }
    this.touched.clear();
    this.last = undefined;
    return added;
  }
}
