import { BadCursor } from '../list/session-list.ts';

/** A row of the index, with everything that decides its rank in an answer. */
export interface Row {
  readonly id: number;
  readonly slice: number;
  readonly session: number;
  readonly seq: number;
  readonly at: number;
  readonly facts: number;
  readonly tool: number;
  readonly path: number;
  readonly score: number;
}

/** The position after a row, where the next page starts. */
export interface SearchCursor {
  readonly order: 'rank' | 'newest' | 'touch';
  readonly after: Pick<Row, 'slice' | 'score' | 'at' | 'session' | 'seq' | 'facts'>;
  /** How many hits were returned so far. */
  readonly given: number;
}

/** Best first, then newest first; the rest only makes the order deterministic. */
export function compareRows(a: SearchCursor['after'], b: SearchCursor['after']): number {
  return b.score - a.score || b.slice - a.slice || b.at - a.at || b.session - a.session || b.seq - a.seq || a.facts - b.facts;
}

const ORDERS = ['rank', 'newest', 'touch'] as const;

export function encodeSearchCursor({ order, after, given }: SearchCursor): string {
  const numbers = [ORDERS.indexOf(order), after.slice, after.score, after.at, after.session, after.seq, after.facts, given];
  return Buffer.from(JSON.stringify(numbers)).toString('base64url');
}

export function decodeSearchCursor(text: string): SearchCursor {
  const numbers = numbersIn(text);
  if (numbers.length !== 8) throw new BadCursor();
  const [which = -1, slice = 0, score = 0, at = 0, session = 0, seq = 0, facts = 0, given = 0] = numbers;
  const order = ORDERS[which];
  if (order === undefined) throw new BadCursor();
  return { order, after: { slice, score, at, session, seq, facts }, given };
}

function numbersIn(text: string): readonly number[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) && value.every((one) => typeof one === 'number') ? value : [];
  } catch {
    return [];
  }
}
