import type { Pressure } from '../../protocol/api/health.ts';
import { THRESHOLDS } from './thresholds.ts';

export interface Strain {
  readonly compactions: number;
  /** The session is over, and nothing was compacted after that. */
  readonly endedAfterLast: boolean;
  readonly peakTokens: number;
  /** Of the model's real window, where it is known. */
  readonly windowShare?: number | undefined;
}

/** The class by what happened; the share of the real window can only raise it. */
export function pressureOf(strain: Strain): Pressure {
  const { critical, high, moderate } = THRESHOLDS;
  const { compactions, endedAfterLast, peakTokens, windowShare = 0 } = strain;
  if (compactions >= critical.compactions || (compactions >= critical.compactionsAndEnded && endedAfterLast) || windowShare > critical.share) return 'critical';
  const wasTight = compactions >= high.compactionsAndPeak && peakTokens > high.peakTokens;
  if (compactions >= high.compactions || wasTight || windowShare > high.share) return 'high';
  if (compactions >= moderate.compactions || peakTokens > moderate.peakTokens || windowShare > moderate.share) return 'moderate';
  return 'none';
}
