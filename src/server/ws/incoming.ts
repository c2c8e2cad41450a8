import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Engine } from '../../engine/engine.ts';
import type { SessionIndex } from '../../index/session-index.ts';
import type { Problems } from '../../problems/problems.ts';
import { type Command, isRefusal, type Refusal } from '../../protocol/command.ts';
import { CLOSE_CODES, ClientFrame, FRAME_REVISION } from '../../protocol/frame.ts';
import { CommandId, type SessionId } from '../../protocol/ids.ts';
import { actorOf, mayActAs, ROLE_OF_COMMAND, refusalToRemember } from '../auth/roles.ts';
import type { SignIns } from '../auth/sign-ins.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Remote } from '../remote/remote.ts';
import type { Log } from '../shared/log.ts';
import { messageProblem } from '../shared/message-limits.ts';
import { suggestionFor, unknownFieldIn } from '../shared/unknown-fields.ts';
import { type Client, send } from './client.ts';
import { isStillAuthorized } from './heartbeat.ts';
import type { Hub } from './hub.ts';

/** Sessions one socket can watch, and commands it can have in flight: far more than a person needs. */
const SUBSCRIPTIONS_MAX = 2000;
const COMMANDS_IN_FLIGHT_MAX = 100;

export interface SocketContext {
  readonly engine: Engine;
  readonly sessionIndex: SessionIndex;
  readonly hub: Hub;
  /** Sessions of other machines, if there are any. */
  readonly remote?: Remote | undefined;
  readonly tokens: Pick<Tokens, 'named'>;
  readonly signIns: Pick<SignIns, 'identityOf' | 'opened'>;
  /** Values of our cookie in a request. */
  readonly cookies: (request: FastifyRequest) => readonly string[];
  /** Set only by tests. */
  readonly helloLimitMs?: number | undefined;
  readonly serverId: string;
  readonly log: Log;
  readonly problems: Problems;
}

/** Parses one frame of a client and handles it. */
export function receive(context: SocketContext, client: Client, text: string) {
  if (!isStillAuthorized(client, context)) return;
  const json = jsonOf(text);
  const parsed = z.safeParse(ClientFrame, json);
  const unknown = parsed.success ? unknownFieldIn(ClientFrame, json) : undefined;
  if (unknown !== undefined) {
    return refuse(
      client,
      { refused: 'bad-request', message: `Unknown field "${unknown.name}" in the frame.${suggestionFor(unknown)} Nothing was changed.` },
      idsIn(json),
    );
  }
  if (parsed.success) return handle(context, client, parsed.data);
  const reason = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'frame'}: ${issue.message.replace(/^Invalid input: /, '')}`).join('; ');
  const tooLarge = parsed.error.issues.some((issue) => issue.code === 'too_big');
  refuse(client, { refused: tooLarge ? 'too-large' : 'bad-request', message: `Invalid frame: ${reason}` }, idsIn(json));
}

function handle(context: SocketContext, client: Client, frame: ClientFrame) {
  switch (frame.type) {
    case 'hello':
      return welcome(context, client, frame.v);
    case 'ping':
      return send(client, { type: 'pong' });
    case 'subscribe':
      return frame.sessionId === '*' ? context.hub.subscribeToList(client) : subscribe(context, client, frame.sessionId, frame.after);
    case 'unsubscribe':
      if (frame.sessionId === '*') client.list = 'off';
      else context.hub.unsubscribe(client, frame.sessionId);
      return;
    case 'input': {
      const problem = messageProblem(frame.text, frame.images);
      if (problem !== undefined) return refuse(client, problem, frame);
      return submit(context, client, { ...frame, type: 'input.send' });
    }
    case 'interrupt':
      return submit(context, client, { ...frame, type: 'turn.interrupt' });
    case 'permission': {
      const refusal = refusalToRemember(client.identity.role, frame.remember);
      if (refusal !== undefined) return refuse(client, refusal, frame);
      const sessionId = client.engine.sessionOfRequest(frame.requestId) ?? context.remote?.sessionOfRequest(frame.requestId);
      if (sessionId === undefined) return refuse(client, { refused: 'not-found', message: `There is no request ${frame.requestId}` }, frame);
      return submit(context, client, { ...frame, sessionId, type: 'permission.answer' });
    }
  }
}

function welcome({ serverId }: SocketContext, client: Client, revision: number) {
  const { id, name, role } = client.identity;
  if (revision === FRAME_REVISION) {
    send(client, { type: 'welcome', v: FRAME_REVISION, serverId, you: { id, name, role } });
    const problems = [...client.engine.problems()];
    return problems.length === 0 ? undefined : send(client, { type: 'problems', problems });
  }
  const older = revision < FRAME_REVISION ? 'This page is older than the server: reload it' : 'This page is newer than the server: update the server';
  const message = `${older} (protocol revision ${revision}, the server has ${FRAME_REVISION})`;
  send(client, { type: 'refused', code: 'revision', message });
  client.close(CLOSE_CODES.revision, message);
}

function subscribe({ hub, remote, log }: SocketContext, client: Client, sessionId: SessionId, after: number | undefined) {
  if (client.subscriptions.size >= SUBSCRIPTIONS_MAX && !client.subscriptions.has(sessionId)) {
    return refuse(
      client,
      { refused: 'too-large', message: `A connection can watch at most ${SUBSCRIPTIONS_MAX} sessions. Unsubscribe from one first.` },
      { sessionId },
    );
  }
  if (hub.subscribe(client, sessionId, after)) return;
  const elsewhere = async (): Promise<boolean | Refusal> => remote !== undefined && (await remote.subscribe(client, sessionId, after));
  const subscribed = remote?.has(sessionId) === true ? elsewhere() : hub.subscribeToPast(client, sessionId, after).then((isThere) => isThere || elsewhere());
  subscribed.then(
    (isThere) => isThere === true || refuse(client, isThere || { refused: 'not-found', message: `There is no session ${sessionId}` }, { sessionId }),
    (error: unknown) => {
      log.error({ err: error, sessionId }, 'a past session could not be read');
      refuse(client, { refused: 'bad-request', message: 'This session couldn’t be read. Try again.' }, { sessionId });
    },
  );
}

function submit({ log, engine, remote }: SocketContext, client: Client, command: Command) {
  const refusal = refusalBefore(client, command);
  if (refusal !== undefined) return refuse(client, refusal, command);
  client.commandsInFlight += 1;
  const here = () => client.engine.submit(command, actorOf(client.identity, client.from));
  const isHere = remote === undefined || engine.session(command.sessionId) !== undefined;
  const submitted = isHere ? here() : remote.submit(client, command).then((receipt) => receipt ?? here());
  submitted
    .then((receipt) => {
      if (isRefusal(receipt)) return refuse(client, receipt, command);
      send(client, { type: 'ack', commandId: receipt.commandId, sessionId: receipt.sessionId, seq: receipt.seq, queued: receipt.queued });
    })
    .catch((error: unknown) => {
      log.error({ err: error, command: command.type, sessionId: command.sessionId }, 'a command failed unexpectedly');
      send(client, {
        type: 'refused',
        commandId: command.commandId,
        sessionId: command.sessionId,
        code: 'internal',
        message: 'Something went wrong in the server. Try again.',
      });
    })
    .finally(() => {
      client.commandsInFlight -= 1;
    });
}

function refusalBefore(client: Client, command: Command): Refusal | undefined {
  const needs = ROLE_OF_COMMAND[command.type];
  if (!mayActAs(client.identity.role, needs))
    return { refused: 'not-permitted', message: `This needs the role ${needs}, but yours is ${client.identity.role}. Ask an owner.` };
  if (client.commandsInFlight < COMMANDS_IN_FLIGHT_MAX) return undefined;
  return { refused: 'queue-full', message: `At most ${COMMANDS_IN_FLIGHT_MAX} commands can be in flight at once. Wait for an answer first.` };
}

function refuse(client: Client, refusal: Refusal, about: { readonly commandId?: CommandId | undefined; readonly sessionId?: string | undefined }) {
  send(client, { type: 'refused', commandId: about.commandId, sessionId: about.sessionId, code: refusal.refused, message: refusal.message });
}

const Ids = z.object({ commandId: z.optional(CommandId), sessionId: z.optional(z.string().check(z.maxLength(200))) });

/** Even an invalid frame may name its command, so that the sender can match the refusal. */
function idsIn(json: unknown): z.infer<typeof Ids> {
  const parsed = z.safeParse(Ids, json);
  return parsed.success ? parsed.data : {};
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
