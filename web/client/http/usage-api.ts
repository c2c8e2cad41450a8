import { UsageList, type UsageQuery } from '../../../src/protocol/api/usage.ts';
import { caller } from './api.ts';

export type UsageQuestion = Readonly<Partial<Record<keyof UsageQuery, string>>>;

/** What was spent. Throws what the server said when it refuses. */
export interface UsageApi {
  usage(question: UsageQuestion): Promise<UsageList>;
}

export function createUsageApi(base: string): UsageApi {
  const call = caller(base);
  return { usage: async (question) => UsageList.parse(await call('GET', `api/usage?${new URLSearchParams(question)}`)) };
}
