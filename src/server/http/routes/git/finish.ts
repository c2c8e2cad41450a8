import type * as z from 'zod/mini';
import {
  ActAnswer,
  CardBody,
  CommitBody,
  DraftMessage,
  Finish,
  FinishQuery,
  MessageBody,
  PrAnswer,
  PrBody,
  PrNow,
  PushBody,
  StageBody,
  StartedAnswer,
  TrustBody,
} from '../../../../protocol/api/finish.ts';
import { isRefusal, type Refusal } from '../../../../protocol/command.ts';
import { CommandAnswer } from '../../../../protocol/http.ts';
import type { CommandId } from '../../../../protocol/ids.ts';
import type { Acting } from '../../../finish/finish-context.ts';
import { anySession } from '../../../shared/transcripts.ts';
import { type Answer, type Route, route, type Services } from '../../route.ts';
import { newCommandId, noSession, OfSession } from '../session.ts';

type Body = { readonly commandId?: CommandId | undefined } | null;

interface ActRoute<B extends z.ZodMiniType<Body>> {
  readonly name: string;
  readonly summary: string;
  readonly body: B;
  readonly answer: { readonly status: number; readonly schema: z.ZodMiniType };
  readonly run: (services: Services, acting: Acting, body: z.infer<B>) => Promise<object | Refusal>;
}

/** A route by which a person acts with git in a session's folder. Whoever may not is refused, and that they tried is kept. */
const act = <B extends z.ZodMiniType<Body>>({ name, summary, body, answer, run }: ActRoute<B>): Route =>
  route({
    method: 'POST',
    path: `/api/sessions/:id/git/${name}`,
    role: 'driver',
    isAudited: true,
    summary,
    params: OfSession,
    body,
    answer,
    refusals: [404, 409],
    handle: async (services, { params, body: given, actor }): Promise<Answer | Refusal> => {
      const session = services.engine.session(params.id) ?? (await anySession(services, params.id));
      if (session === undefined) return noSession(params.id);
      if (hasNull(given)) return { refused: 'bad-request', message: 'Names and texts for git can’t contain a null character.' };
      const done = await run(services, { session, actor, commandId: given?.commandId ?? newCommandId() }, given);
      return isRefusal(done) ? done : { status: answer.status, body: done };
    },
  });

const hasNull = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('\0') : typeof value === 'object' && value !== null && Object.values(value).some(hasNull);

const DONE = { status: 200, schema: ActAnswer } as const;
const STARTED = { status: 202, schema: StartedAnswer } as const;

export const GIT_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/git',
    role: 'viewer',
    summary: 'What is staged and what is not, where a push would go, and what an agent may have planted; with a path, that file’s hunks',
    params: OfSession,
    query: FinishQuery,
    answer: { status: 200, schema: Finish },
    refusals: [404],
    handle: async (services, { params, query }) => {
      const session = await anySession(services, params.id);
      const found = session === undefined ? noSession(params.id) : await services.finish.read(session, query);
      return isRefusal(found) ? found : { status: 200, body: found };
    },
  }),
  act({
    name: 'trust',
    summary: 'Confirm exactly the changed hooks and settings with this hash; acts are refused until then',
    body: TrustBody,
    answer: { status: 200, schema: CommandAnswer },
    run: async ({ finish }, acting, { sha256 }) => {
      const receipt = await finish.trust(acting, sha256);
      return isRefusal(receipt) ? receipt : { commandId: acting.commandId, seq: receipt.seq };
    },
  }),
  act({
    name: 'stage',
    summary: 'Stage files or hunks. A hunk that is no longer there is refused, and nothing is applied',
    body: StageBody,
    answer: DONE,
    run: ({ finish }, acting, body) => finish.stage(acting, body),
  }),
  act({
    name: 'unstage',
    summary: 'Take files or hunks out of the index; the folder stays as it is',
    body: StageBody,
    answer: DONE,
    run: ({ finish }, acting, body) => finish.unstage(acting, body),
  }),
  act({
    name: 'discard',
    summary: 'Remove changes from the folder. A checkpoint is taken first, and the answer names it',
    body: StageBody,
    answer: DONE,
    run: ({ finish }, acting, body) => finish.discard(acting, body),
  }),
  act({
    name: 'commit',
    summary: 'Commit what is staged, with the person’s hooks and signing. It runs on its own; `git.acted` says what came of it',
    body: CommitBody,
    answer: STARTED,
    run: ({ finish }, acting, { message }) => finish.commit(acting, message),
  }),
  act({
    name: 'push',
    summary: 'Push the branch with the person’s credentials. Never forces; `overwrite` replaces the remote branch only if it still is the commit named',
    body: PushBody,
    answer: STARTED,
    run: ({ finish }, acting, body) => finish.push(acting, body),
  }),
  act({
    name: 'message',
    summary: 'Draft a commit message for what is staged: by the session’s agent in a copy of its conversation, or from the changed files',
    body: MessageBody,
    answer: { status: 200, schema: DraftMessage },
    run: ({ finish }, acting) => finish.draft(acting),
  }),
  act({
    name: 'pr',
    summary: 'Open a pull request for the pushed branch through gh or glab; without them, the address where a person can',
    body: PrBody,
    answer: { status: 200, schema: PrAnswer },
    run: ({ finish }, acting, body) => finish.openPullRequest(acting, body),
  }),
  act({
    name: 'card',
    summary: 'Dismiss a card about the pull request, or send it to the agent as one message',
    body: CardBody,
    answer: { status: 200, schema: CommandAnswer },
    run: async ({ finish }, acting, { card, send = false }) => {
      const receipt = await finish.card(acting, card, send);
      return isRefusal(receipt) ? receipt : { commandId: acting.commandId, seq: receipt.seq };
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/git/pr',
    role: 'viewer',
    summary: 'The pull request of a session: its state, its checks, and what a person should look at',
    params: OfSession,
    answer: { status: 200, schema: PrNow },
    refusals: [404],
    handle: async (services, { params }) => {
      const session = await anySession(services, params.id);
      return session === undefined ? noSession(params.id) : { status: 200, body: await services.finish.pullRequest(session) };
    },
  }),
];
