import type { RawLine } from '../../protocol/api/raw.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { LineRow } from '../rows.ts';
import type { LoadedLine } from './load-lines.ts';

/** As many lines as fit in one answer, from the requested end; at least one. */
export function bounded(rows: readonly LineRow[], cut: 'first' | 'last', most: number): readonly LineRow[] {
  const ordered = cut === 'first' ? rows.toReversed() : rows;
  let room: number = LIMITS.rawPageBytes;
  const page = ordered.slice(0, most).filter(({ bytes }, at) => {
    room -= Math.min(bytes, LIMITS.rawLineBytes);
    return at === 0 || room >= 0;
  });
  return cut === 'first' ? page.reverse() : page;
}

/** A line that is no longer in the record is empty. */
export function rawLine({ seq, bytes }: LineRow, line: LoadedLine | undefined): RawLine {
  const whole = line?.text ?? '';
  const text = Buffer.from(whole).subarray(0, LIMITS.rawLineBytes).toString('utf8');
  return { place: seq, bytes, text: text.length < whole.length ? text : whole, ...((text.length < whole.length || line?.isCut) && { cut: true }) };
}
