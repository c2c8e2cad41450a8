import type { Spent } from '../../../../../src/protocol/api/plan.ts';
import { costText } from '../../../../base/text/format.ts';

/** A price that an agent does not report is not zero. */
export function costOf({ usd, unknown }: Spent): string {
  if (!unknown) return costText(usd);
  return usd === 0 ? 'cost unknown' : `at least ${costText(usd)}`;
}
