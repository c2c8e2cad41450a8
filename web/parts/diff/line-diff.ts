import { compareLines } from '../../../src/domain/changes/line-diff.ts';
import { type DiffLine, NO_NEWLINE } from './patch.ts';

/** Added, deleted and unchanged lines, keeping the longest common sequence. Lines with different ends are different. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const endsAlike = before.endsWith('\n') === after.endsWith('\n') || before === '';
  const [old, updated] = endsAlike ? [linesWithNewlines(before), linesWithNewlines(after)] : [linesWithEnds(before), linesWithEnds(after)];
  return [...compareLines(old, updated).flatMap(withEnd), ...(after === '' && !endsAlike ? [LINE_END_TOO] : [])];
}

/** The deleted text may end in the middle of a line, which then joins the next one. */
const LINE_END_TOO: DiffLine = { kind: 'end', text: 'including the line end' };

/** Lines with their ends. */
const linesWithEnds = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/));
const linesWithNewlines = (text: string): readonly string[] => linesWithEnds(text).map((line) => (line.endsWith('\n') ? line : `${line}\n`));

const withEnd = (line: DiffLine): readonly DiffLine[] => (line.text.endsWith('\n') ? [{ ...line, text: line.text.slice(0, -1) }] : [line, NO_NEWLINE]);
