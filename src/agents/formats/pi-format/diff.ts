import * as z from 'zod/mini';

const Details = z.looseObject({ patch: z.optional(z.string()), diff: z.optional(z.string()) });

/** The hunks in a tool result: newer versions have a patch, older ones only a human-readable diff with line numbers. */
export function patchOf(details: unknown): string | undefined {
  const parsed = z.safeParse(Details, details);
  if (!parsed.success) return undefined;
  const { patch, diff } = parsed.data;
  if (patch !== undefined) return patch.slice(Math.max(0, patch.indexOf('@@ ')));
  return diff === undefined ? undefined : patchFromNumbered(diff);
}

interface NumberedLine {
  readonly sign: string;
  readonly number: number;
  readonly text: string;
}

/** Pi 0.73.1: ` 1 one`, `-2 two`, `+2 TWO`; a gap is a line of dots. Kept and removed lines have their old number, added lines the new one. */
export function patchFromNumbered(diff: string): string | undefined {
  let shift = 0;
  const hunks: string[] = [];
  for (const lines of hunksOf(diff)) {
    const added = lines.filter(({ sign }) => sign === '+').length;
    const removed = lines.filter(({ sign }) => sign === '-').length;
    const kept = lines.length - added - removed;
    const from = lines.find(({ sign }) => sign !== '+')?.number ?? Math.max(0, (lines[0]?.number ?? 1) - shift - 1);
    const to = removed + kept === 0 ? (lines[0]?.number ?? 1) : from + shift;
    hunks.push(`@@ -${from},${removed + kept} +${to},${added + kept} @@`, ...lines.map(({ sign, text }) => sign + text));
    shift += added - removed;
  }
  return hunks.length === 0 ? undefined : `${hunks.join('\n')}\n`;
}

function hunksOf(diff: string): readonly (readonly NumberedLine[])[] {
  const hunks: NumberedLine[][] = [[]];
  for (const raw of diff.split('\n')) {
    const [, sign, number, text] = /^([ +-])\s*(\d+) ?(.*)$/.exec(raw) ?? [];
    if (sign === undefined || number === undefined) hunks.push([]);
    else hunks.at(-1)?.push({ sign, number: Number(number), text: text ?? '' });
  }
  return hunks.filter((lines) => lines.length > 0);
}
