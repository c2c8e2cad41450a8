import { UsageList, type UsageQuery } from '../../../src/protocol/api/usage.ts';
import { caller } from './api.ts';

export type UsageParams = Readonly<Partial<Record<keyof UsageQuery, string>>>;

/** Throws the server's message if it refuses. */
export interface UsageApi {
  usage(query: UsageParams): Promise<UsageList>;
}

export function createUsageApi(base: string): UsageApi {
  const call = caller(base);
  return { usage: async (query) => UsageList.parse(await call('GET', `api/usage?${new URLSearchParams(query)}`)) };
}
