import type { UsageList } from '../../../src/protocol/api/usage.ts';
import { allTokens, hoursText, moneyText, shortNumber } from './number-text.ts';

export function Totals({ total }: { readonly total: UsageList['total'] }) {
  const isPartial = total.unpricedTokens > 0;
  return (
    <dl className="usage-totals">
      <Figure name="Cost" value={`${isPartial ? 'At least ' : ''}${moneyText(total.costUsd)}`} />
      <Figure name="Tokens" value={shortNumber(allTokens(total))} more={partsOf(total)} />
      <Figure name="Turns" value={total.turns.toLocaleString()} />
      <Figure name="Active time" value={hoursText(total.durationMs)} />
      <Figure name="Sessions" value={total.sessions.toLocaleString()} />
    </dl>
  );
}

const partsOf = (total: UsageList['total']): string =>
  [
    `${shortNumber(total.inputTokens)} input`,
    `${shortNumber(total.outputTokens)} output`,
    `${shortNumber(total.cacheReadTokens)} cache reads`,
    `${shortNumber(total.cacheWriteTokens)} cache writes`,
  ].join(' · ');

function Figure({ name, value, more }: { readonly name: string; readonly value: string; readonly more?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {more !== undefined && <small>{more}</small>}
      </dd>
    </div>
  );
}
