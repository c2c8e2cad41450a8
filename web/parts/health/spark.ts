/** The usual window; used when the real one is unknown, so that a small context looks small. */
const USUAL_WINDOW = 200_000;

export interface Spark {
  /** For a polyline. */
  readonly points: string;
  /** Where something was compacted. */
  readonly drops: readonly number[];
}

/** Values as a line; full height is a full window, and a negative value is a compaction. */
export function sparkOf(line: readonly number[], window: number | undefined, width: number, height: number): Spark {
  const ceiling = Math.max(window ?? USUAL_WINDOW, ...line.map(Math.abs));
  const x = (index: number): number => rounded(line.length < 2 ? width : (index * width) / (line.length - 1));
  const y = (value: number): number => rounded(height - (Math.abs(value) / ceiling) * height);
  // A single value is a level line.
  const points = line.length === 1 ? [`0,${y(line[0] ?? 0)}`] : [];
  return {
    points: [...points, ...line.map((value, index) => `${x(index)},${y(value)}`)].join(' '),
    drops: line.flatMap((value, index) => (value < 0 ? [x(index)] : [])),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
