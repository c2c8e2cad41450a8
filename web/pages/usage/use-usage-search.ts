import { useLocation, useNavigate } from '@tanstack/react-router';
import { RANGES, type Range } from './range.ts';
import type { Unit } from './stack.ts';

interface UsageSearch {
  readonly range: Range;
  readonly unit: Unit;
}

/** Range and unit in the address, and how to change them. Defaults are left out. */
export function useUsageSearch(): readonly [UsageSearch, (part: Partial<UsageSearch>) => void] {
  const search = searchOf(useLocation({ select: (location) => location.search }));
  const navigate = useNavigate();
  const change = (part: Partial<UsageSearch>) => void navigate({ to: '.', search: addressOf({ ...search, ...part }), replace: true });
  return [search, change];
}

const searchOf = ({ range, unit }: Readonly<Record<string, unknown>>): UsageSearch => ({
  range: RANGES.find((one) => one === range) ?? '30',
  unit: unit === 'tokens' ? 'tokens' : 'cost',
});

const addressOf = ({ range, unit }: UsageSearch): Record<string, string> => ({ ...(range !== '30' && { range }), ...(unit !== 'cost' && { unit }) });
