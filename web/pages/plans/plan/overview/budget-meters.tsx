import type { PlanState } from '../../../../../src/protocol/api/plan.ts';
import { costText, countText } from '../../../../base/text/format.ts';

/** The share of each budget that is spent. */
export function BudgetMeters({ plan: { head, spent } }: { readonly plan: PlanState }) {
  const { usd, minutes, turns } = head.budget ?? {};
  const meters = [
    ...(usd === undefined ? [] : [{ name: 'Dollars', share: spent.usd / usd, text: `${costText(spent.usd)} of ${costText(usd)}` }]),
    ...(minutes === undefined ? [] : [{ name: 'Minutes', share: spent.ms / 60_000 / minutes, text: `${Math.floor(spent.ms / 60_000)} of ${minutes} min` }]),
    ...(turns === undefined ? [] : [{ name: 'Turns', share: spent.turns / turns, text: `${spent.turns} of ${countText(turns, 'turn')}` }]),
  ];
  if (meters.length === 0) return null;
  return (
    <ul className="budget-meters">
      {meters.map(({ name, share, text }) => (
        <li key={name}>
          <span className="meter" role="img" aria-label={`${name}: ${text}`}>
            <span className={share >= NEAR ? 'meter-fill tight' : 'meter-fill'} style={{ width: `${Math.min(100, Math.round(share * 100))}%` }} />
          </span>
          <span>{text}</span>
        </li>
      ))}
      {spent.unknown && <li className="quiet">Some agents don’t report prices, so more was spent than counted.</li>}
    </ul>
  );
}

/** From here on the budget is nearly used up. */
const NEAR = 0.8;
