import type { UsageList } from '../../../src/protocol/api/usage.ts';
import { allTokens, hoursText, manyText, moneyText } from './figures.ts';

export function Totals({ total }: { readonly total: UsageList['total'] }) {
  const isPartial = total.unpricedTokens > 0;
  return (
    <dl className="usage-totals">
      <Figure name="Cost" value={`${isPartial ? 'at least ' : ''}${moneyText(total.costUsd)}`} />
      <Figure name="Tokens" value={manyText(allTokens(total))} more={partsOf(total)} />
      <Figure name="Turns" value={total.turns.toLocaleString()} />
      <Figure name="Time at work" value={hoursText(total.durationMs)} />
      <Figure name="Sessions" value={total.sessions.toLocaleString()} />
    </dl>
  );
}

const partsOf = (total: UsageList['total']): string =>
  [
    `${manyText(total.inputTokens)} read`,
    `${manyText(total.outputTokens)} written`,
    `${manyText(total.cacheReadTokens)} from cache`,
    `${manyText(total.cacheWriteTokens)} into it`,
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
