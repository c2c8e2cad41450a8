import type { Refusal } from '../../protocol/command.ts';
import { suggestionFor, unknownName } from '../shared/unknown-fields.ts';
import type { Services } from './route.ts';

/**
 * The filter `agent` with ids that exist: `all` means no filter, a short name (`claude`) stands for the ids that start with it, and an unknown one is
 * refused by name, because an empty list would look like an answer.
 */
export async function withKnownAgents<Q extends { readonly agent?: string | undefined }>(
  { engine, sessionIndex }: Pick<Services, 'engine' | 'sessionIndex'>,
  query: Q,
): Promise<Q | Refusal> {
  const wanted = (query.agent ?? 'all').split(',').filter((id) => id !== '');
  if (wanted.length === 0 || wanted.includes('all')) return { ...query, agent: undefined };
  const [running, counts] = [await engine.agents(), await sessionIndex.counts()];
  const known = [...new Set([...running.map(({ id }) => id), ...sessionIndex.agents.map(({ id }) => id), ...Object.keys(counts)])];
  const ids = wanted.map((id) => known.filter((one) => one === id || one.startsWith(`${id}-`) || one.startsWith(`${id}:`)));
  const missing = wanted[ids.findIndex((found) => found.length === 0)];
  if (missing === undefined) return { ...query, agent: [...new Set(ids.flat())].join(',') };
  const message = `There is no agent "${missing}".${suggestionFor(unknownName(missing, missing, [...known, 'all']))} Known: all, ${known.join(', ')}.`;
  return { refused: 'bad-request', message };
}
