import type { Rail } from './rails.ts';

/** The width of a lane, and how far below the top of a row its sign is. The style sheet has the same. */
export const LANE = 16;
const SIGN = 22;

const xOf = (lane: number): number => lane * LANE + LANE / 2;

/** The rails beside one row. The lower part stretches with the row. */
export function RailSign({ rail: { lane, through, into, isNeeded } }: { readonly rail: Rail }) {
  const x = xOf(lane);
  const curves = into.map((from) => (from === lane ? `M${x} 0V${SIGN}` : `M${xOf(from)} 0C${xOf(from)} ${SIGN} ${x} 4 ${x} ${SIGN}`));
  return (
    <svg className="rail-sign" aria-hidden="true">
      {through.map((each) => (
        <line key={each} x1={xOf(each)} x2={xOf(each)} y1="0" y2="100%" />
      ))}
      {curves.length > 0 && <path d={curves.join('')} />}
      {isNeeded && <line x1={x} x2={x} y1={SIGN} y2="100%" />}
    </svg>
  );
}
