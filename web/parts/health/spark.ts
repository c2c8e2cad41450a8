/** A window that most models have; used where nobody knows better, so that a small context looks small. */
const USUAL_WINDOW = 200_000;

export interface Spark {
  /** For a polyline. */
  readonly points: string;
  /** Where something was compacted. */
  readonly drops: readonly number[];
}

/** Figures as a line in a box, full height being a full window; a negative one is a compaction. */
export function sparkOf(line: readonly number[], window: number | undefined, width: number, height: number): Spark {
  const ceiling = Math.max(window ?? USUAL_WINDOW, ...line.map(Math.abs));
  const x = (index: number): number => rounded(line.length < 2 ? width : (index * width) / (line.length - 1));
  const y = (figure: number): number => rounded(height - (Math.abs(figure) / ceiling) * height);
  // One figure alone is a level line.
  const points = line.length === 1 ? [`0,${y(line[0] ?? 0)}`] : [];
  return {
    points: [...points, ...line.map((figure, index) => `${x(index)},${y(figure)}`)].join(' '),
    drops: line.flatMap((figure, index) => (figure < 0 ? [x(index)] : [])),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
