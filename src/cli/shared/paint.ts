import { escapedCode, withoutOdd } from '../../protocol/odd-characters.ts';
import type { CliDeps, Output } from './deps.ts';

export type Paint = Readonly<Record<'dim' | 'bold' | 'red' | 'green' | 'yellow', (text: string) => string>>;

const CODES = { dim: 2, bold: 1, red: 31, green: 32, yellow: 33 } as const;

/** Colors only on a terminal, unless NO_COLOR is set. */
export function paintFor(deps: Pick<CliDeps, 'env'>, output: Output): Paint {
  const wanted = output.isTTY === true && (deps.env.NO_COLOR ?? '') === '' && deps.env.TERM !== 'dumb';
  const wrap = (code: number) => (text: string) => (wanted ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { dim: wrap(CODES.dim), bold: wrap(CODES.bold), red: wrap(CODES.red), green: wrap(CODES.green), yellow: wrap(CODES.yellow) };
}

/** Text from agents and people can contain terminal commands, or characters that hide or reverse others: shows them escaped. */
export const printable = (text: string): string => withoutOdd(text.replaceAll('\r\n', '\n'), escapedCode);

/** The same for a name or a title, which must not break a line or a column. */
export const printableLine = (text: string): string => withoutOdd(text, escapedCode).replaceAll('\n', '\\n').replaceAll('\t', '\\t');

/** Columns as wide as their widest cell; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => `${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ')}\n`).join('');
}
