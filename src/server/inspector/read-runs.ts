import { maskArguments } from '../../domain/runs/mask-arguments.ts';
import { RunsFold } from '../../domain/runs/runs.ts';
import type { Run } from '../../protocol/api/runs.ts';
import type { Session } from '../../protocol/session.ts';
import { readEvents } from '../http/read-events.ts';
import type { Services } from '../http/route.ts';

/** The runs of a session, oldest first. Files of a run can be gone; then only what the events tell is known. */
export async function readRuns(services: Services, session: Session): Promise<{ readonly runs: Run[] }> {
  const fold = new RunsFold();
  for await (const events of readEvents(services, session, session.past?.lastSeq ?? 0)) for (const event of events) fold.take(event);
  const runs = fold.all().map(async (run) => {
    const { argv, ...process } = await services.inspector.raw.process(session.id, run.run);
    return { ...run, ...process, ...(argv !== undefined && { argv: [...maskArguments(argv)] }) };
  });
  return { runs: await Promise.all(runs) };
}
