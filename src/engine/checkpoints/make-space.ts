import { removable } from '../../domain/checkpoint/retention.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** All checkpoints together. */
export const CHECKPOINT_BYTES = 2 * 1024 * 1024 * 1024;
/** Measuring reads every file's size, so it is done only now and then. */
const MEASURE_EVERY = 50;

/** Deletes ordinary checkpoints, those of the session used longest ago first, until all fit. Each removal is an event. */
export async function makeSpace(
  context: EngineContext,
  current: SessionActor,
  most = context.deps.settings.checkpointBytes ?? CHECKPOINT_BYTES,
): Promise<void> {
  const work = context.checkpointWork;
  work.sinceMeasured += 1;
  if (work.sinceMeasured < MEASURE_EVERY && work.sinceMeasured !== 1) return;
  work.sinceMeasured = 1;
  const store = await work.checkpoints();
  if ((await store.bytes()) <= most) return work.full(undefined);
  const oldest = [...context.sessions.values()].filter(({ state }) => !state.deleted).sort((a, b) => rank(a, current).localeCompare(rank(b, current)));
  for (const session of oldest) {
    const { id, base, born } = session.state;
    const ids = removable(work.log(id, base).checkpoints, context.deps.now().getTime(), session === current);
    if (ids.length === 0 || born === null || context.closing) continue;
    // First the event: a checkpoint that is named but gone would be a lie.
    session.note((draft) => draft.emit({ type: 'checkpoint.removed', checkpointIds: [...ids], reason: 'to make space' }));
    await context.deps.journal.sync();
    await store.forget(born.cwd, id, ids);
    if ((await store.bytes()) <= most) return work.full(undefined);
  }
  work.full('checkpoints take all the space they may, and what is left can’t be deleted yet');
}

/** The session in use comes last. */
const rank = (session: SessionActor, current: SessionActor): string => (session === current ? '~' : session.state.updatedAt);
