import * as z from 'zod/mini';
import { CheckpointList, RevertAnswer, RevertBody, type RevertDone, TurnDiff, TurnDiffQuery } from '../../../../protocol/api/checkpoints.ts';
import { isRefusal, type Refusal } from '../../../../protocol/command.ts';
import type { EventOf } from '../../../../protocol/event.ts';
import { CommandAnswer, InterruptBody } from '../../../../protocol/http.ts';
import { CommandId } from '../../../../protocol/ids.ts';
import { type Answer, type Route, route, type Services } from '../../route.ts';
import { submitAndWait } from '../../submit-and-wait.ts';
import { createFrom } from '../past.ts';
import { newCommandId, noSession, OfSession } from '../session.ts';

const LIMIT_MS = 60_000;
const TOO_LATE = 'The files are still being restored. The session shows when it is done; send the same commandId again to get the result.';

/** Files as they were at any message, and going back to them. */
export const CHECKPOINT_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/checkpoints',
    role: 'viewer',
    summary: 'Checkpoints of the session’s files, and what each turn changed, including by commands',
    params: OfSession,
    answer: { status: 200, schema: CheckpointList },
    refusals: [404],
    handle: async ({ engine }, { params }) => {
      const list = engine.session(params.id) === undefined ? undefined : await engine.checkpoints(params.id);
      return list === undefined ? noSession(params.id) : { status: 200, body: list };
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/checkpoints/diff',
    role: 'viewer',
    summary: 'What one turn did to one file, as a patch',
    params: OfSession,
    query: TurnDiffQuery,
    answer: { status: 200, schema: TurnDiff },
    refusals: [404, 422],
    handle: async ({ engine }, { params, query }) => {
      const { turn, path } = query;
      if (engine.session(params.id) === undefined) return noSession(params.id);
      if (turn === undefined || path === undefined) return { refused: 'not-supported', message: 'Name a turn and a path: ?turn=…&path=…' };
      const diff = await engine.turnDiff(params.id, turn, path);
      return isRefusal(diff) ? diff : { status: 200, body: diff };
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/checkpoints/enable',
    role: 'driver',
    isAudited: true,
    summary: 'Make checkpoints of this folder again, after they were turned off because it is too large or too slow',
    params: OfSession,
    body: z._default(z.nullable(InterruptBody), null),
    answer: { status: 202, schema: CommandAnswer },
    refusals: [404],
    handle: async ({ engine }, { params, body, actor }) => {
      const receipt = await engine.submit({ type: 'checkpoints.enable', commandId: body?.commandId ?? newCommandId(), sessionId: params.id }, actor);
      return isRefusal(receipt) ? receipt : { status: 202, body: { commandId: receipt.commandId, seq: receipt.seq } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/revert',
    role: 'driver',
    isAudited: true,
    summary: 'Restore files to the checkpoint at or before an event; a dry run says what would happen',
    params: OfSession,
    body: RevertBody,
    answer: { status: 200, schema: RevertAnswer },
    refusals: [404, 409, 422, 507],
    handle: async (services, { params, body: { conversation, dryRun, commandId = newCommandId(), ...wanted }, actor }) => {
      if (dryRun === true) {
        const preview = await services.engine.previewRevert(params.id, wanted);
        return isRefusal(preview) ? preview : { status: 200, body: preview };
      }
      const command = { type: 'files.revert', commandId, sessionId: params.id, ...wanted } as const;
      const done = await submitAndWait(services.engine, command, actor, { type: 'revert.done', limitMs: LIMIT_MS, tooLate: TOO_LATE });
      if (isRefusal(done)) return done;
      if (done.problem !== undefined) return { refused: 'conflict', message: `Nothing was restored: ${done.problem}.` };
      const fork = conversation === undefined ? undefined : await forkAt(services, command, actor);
      return { status: 200, body: await outcome(services, params.id, done, fork) };
    },
  }),
];

type Revert = { readonly sessionId: Parameters<typeof createFrom>[1]; readonly to: number; readonly commandId: CommandId };

const forkAt = (services: Services, { sessionId, to, commandId }: Revert, actor: Parameters<typeof createFrom>[4]): Promise<Answer | Refusal> =>
  createFrom(services, sessionId, { how: 'fork', sessionId, at: to }, { commandId: CommandId.parse(`fork:${commandId}`.slice(0, 200)) }, actor);

async function outcome({ engine }: Services, id: Revert['sessionId'], done: EventOf<'revert.done'>, fork: Answer | Refusal | undefined): Promise<RevertDone> {
  const made = (await engine.checkpoints(id))?.checkpoints.find(({ checkpointId }) => checkpointId === done.undo);
  return {
    dryRun: false,
    commandId: done.commandId,
    files: done.files,
    ...(made !== undefined && { undo: { checkpointId: made.checkpointId, seq: made.seq } }),
    ...(fork !== undefined && (isRefusal(fork) ? { forkProblem: fork.message } : { fork: sessionOf(fork) })),
  };
}

const sessionOf = ({ body }: Answer): Revert['sessionId'] => z.object({ id: OfSession.shape.id }).parse(body).id;
