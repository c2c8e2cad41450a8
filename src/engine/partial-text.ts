import type { Delta } from '../protocol/frame.ts';
import type { PartialObservation } from '../protocol/observation.ts';

type Piece = Extract<PartialObservation, { type: 'delta' }>;

/** The text in progress of one run: whole for late comers, and what is new since the last look. */
export class PartialText {
  private readonly items = new Map<string, { delta: Delta; toldChars: number }>();
  private readonly touched = new Set<string>();

  constructor(restored: readonly Delta[] = []) {
    for (const delta of restored) this.items.set(delta.itemId, { delta, toldChars: delta.text.length });
  }

  /** Adds what is not known yet. A piece that begins after the known text is taken as it is: the agent's count wins. */
  add(piece: Piece): void {
    const { type: _, ...fresh } = piece;
    const known = this.items.get(piece.itemId);
    if (known === undefined) {
      this.items.set(piece.itemId, { delta: { ...fresh, offset: 0 }, toldChars: 0 });
    } else {
      const surplus = known.delta.text.length - piece.offset;
      if (surplus >= piece.text.length && piece.text.length > 0) return;
      known.delta = { ...known.delta, text: known.delta.text + (surplus > 0 ? piece.text.slice(surplus) : piece.text) };
    }
    this.touched.add(piece.itemId);
  }

  drop(itemId: string): boolean {
    this.touched.delete(itemId);
    return this.items.delete(itemId);
  }

  /** Empties it and names what was there. */
  clear(): readonly string[] {
    const ids = [...this.items.keys()];
    this.items.clear();
    this.touched.clear();
    return ids;
  }

  whole(): readonly Delta[] {
    return [...this.items.values()].map((item) => item.delta);
  }

  /** What was added since the last call, one piece an item. */
  news(): readonly Delta[] {
    const news: Delta[] = [];
    for (const itemId of this.touched) {
      const item = this.items.get(itemId);
      if (item === undefined) continue;
      news.push({ ...item.delta, text: item.delta.text.slice(item.toldChars), offset: item.toldChars });
      item.toldChars = item.delta.text.length;
    }
    this.touched.clear();
    return news;
  }
}
