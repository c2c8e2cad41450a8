import type { RawLine, RawPage, RawQuery } from '../../protocol/api/raw.ts';
import type { Refusal } from '../../protocol/command.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Session } from '../../protocol/session.ts';
import type { Services } from '../http/route.ts';

/** A page of raw lines, from one run or from the agent's own record. */
export async function readRaw(
  { inspector, sessionIndex }: Pick<Services, 'inspector' | 'sessionIndex'>,
  session: Session,
  query: RawQuery,
): Promise<RawPage | Refusal> {
  if (query.before !== undefined && query.after !== undefined) return { refused: 'bad-request', message: 'Use either before or after, not both.' };
  const runs = await inspector.raw.runs(session.id);
  const run = query.run === undefined ? runs.at(-1) : runs.find((one) => one.run === query.run);
  const side = query.side ?? 'out';
  if (run !== undefined) return { source: 'run', runs: [...runs], run: run.run, side, ...(await inspector.raw.page(session.id, run, { ...query, side })) };
  if (query.run !== undefined && query.run !== 'record') return { refused: 'not-found', message: `This session has no run ${query.run}.` };
  return { source: 'record', runs: [...runs], side: 'out', ...recordPage(await sessionIndex.raw(session.id, pageOf(query)), query, session) };
}

const pageOf = ({ before, after }: RawQuery) => ({ limit: LIMITS.pageDefault, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });

function recordPage(lines: readonly RawLine[], query: RawQuery, session: Session): Pick<RawPage, 'lines' | 'before' | 'after' | 'more'> {
  const [first, last] = [lines[0], lines.at(-1)];
  const end = session.past?.lastSeq ?? 0;
  return {
    lines: [...lines],
    ...(first !== undefined && first.place > 1 && { before: first.place }),
    after: last?.place ?? query.after ?? 0,
    more: last !== undefined && last.place < end && lines.length > 0 && query.after !== undefined,
  };
}
