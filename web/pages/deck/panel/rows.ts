/** The height of a line, and where in it the track is drawn. The style sheet has the same heights. */
export interface Rows {
  readonly name: 'roomy' | 'dense' | 'tight' | 'stacked';
  readonly pitch: number;
  readonly middle: number;
}

const ROOMY: Rows = { name: 'roomy', pitch: 34, middle: 17 };
/** Many lines get less space each, so that all stay in view. */
const DENSE: Rows = { name: 'dense', pitch: 24, middle: 12 };
/** On a phone the track is below its title. */
const STACKED: Rows = { name: 'stacked', pitch: 50, middle: 39 };

const TIGHT: Rows = { name: 'tight', pitch: 19, middle: 10 };

const MANY = 12;
const VERY_MANY = 32;

export const rowsFor = (isNarrow: boolean, lines: number): Rows => (isNarrow ? STACKED : lines > VERY_MANY ? TIGHT : lines > MANY ? DENSE : ROOMY);

export const middleOf = ({ pitch, middle }: Rows, line: number): number => line * pitch + middle;

/** The line at a height, if there is one. */
export function lineAt({ pitch }: Rows, y: number, lines: number): number | undefined {
  const line = Math.floor(y / pitch);
  return line >= 0 && line < lines ? line : undefined;
}
