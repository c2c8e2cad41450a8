import type { UsageList, UsageRow } from '../../../src/protocol/api/usage.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { allTokens, hoursText, moneyText, shortNumber } from './number-text.ts';

interface UsageTableProps {
  readonly title: string;
  readonly what: string;
  readonly list: UsageList;
}

export function UsageTable({ title, what, list }: UsageTableProps) {
  return (
    <section className="usage-table" aria-label={title}>
      <h2>{title}</h2>
      <div className="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">{what}</th>
              <th scope="col">Cost</th>
              <th scope="col">Tokens</th>
              <th scope="col">Turns</th>
              <th scope="col">Time</th>
              <th scope="col" className="wide">
                Sessions
              </th>
            </tr>
          </thead>
          <tbody>
            {list.rows.map((row) => (
              <Line key={row.key} row={row} isAgent={list.by === 'agent'} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Line({ row, isAgent }: { readonly row: UsageRow; readonly isAgent: boolean }) {
  const agent = useApp((state) => (isAgent ? state.agents?.find(({ id }) => id === row.key)?.title : undefined));
  return (
    <tr>
      <th scope="row" title={row.title}>
        {agent ?? row.title}
      </th>
      <td>{costOf(row)}</td>
      <td>{shortNumber(allTokens(row))}</td>
      <td>{row.turns === 0 ? '–' : row.turns.toLocaleString()}</td>
      <td>{row.durationMs === 0 ? '–' : hoursText(row.durationMs)}</td>
      <td className="wide">{row.sessions.toLocaleString()}</td>
    </tr>
  );
}

/** If some tokens have no price, the cost is a lower bound; if none has one, there is no cost to show. */
function costOf({ costUsd, unpricedTokens }: UsageRow): string {
  if (unpricedTokens === 0) return moneyText(costUsd);
  return costUsd === 0 ? '–' : `≥ ${moneyText(costUsd)}`;
}
