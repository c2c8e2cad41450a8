import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Engine } from '../../engine/engine.ts';
import type { Library } from '../../index/session-index.ts';
import type { Problems } from '../../problems/problems.ts';
import { type Command, isRefusal, type Refusal } from '../../protocol/command.ts';
import { CLOSE_CODES, ClientFrame, FRAME_REVISION } from '../../protocol/frame.ts';
import { CommandId, type SessionId } from '../../protocol/ids.ts';
import { actorOf, mayActAs, ROLE_OF_COMMAND, refusalToRemember } from '../auth/roles.ts';
import type { SignIns } from '../auth/sign-ins.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Log } from '../log.ts';
import { messageProblem } from '../message-limits.ts';
import { type Client, tell } from './client.ts';
import { isStillLetIn } from './heartbeat.ts';
import type { Hub } from './hub.ts';

/** Sessions that one socket may watch, and commands it may have on their way: bounds nobody meets by hand. */
const SUBSCRIPTIONS_MAX = 2000;
const COMMANDS_IN_FLIGHT_MAX = 100;

export interface Reception {
  readonly engine: Engine;
  readonly library: Library;
  readonly hub: Hub;
  readonly tokens: Pick<Tokens, 'named'>;
  readonly signIns: Pick<SignIns, 'identityOf' | 'opened'>;
  /** The cookies of ours that a request brought. */
  readonly cookies: (request: FastifyRequest) => readonly string[];
  /** Only tests choose it. */
  readonly helloLimitMs?: number | undefined;
  readonly serverId: string;
  readonly log: Log;
  readonly problems: Problems;
}

/** One frame of a client: parsed, and handed to whoever it is for. */
export function receive(reception: Reception, client: Client, text: string) {
  if (!isStillLetIn(client, reception)) return;
  const json = jsonOf(text);
  const parsed = z.safeParse(ClientFrame, json);
  if (parsed.success) return handle(reception, client, parsed.data);
  const reason = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'frame'}: ${issue.message}`).join('; ');
  const tooLarge = parsed.error.issues.some((issue) => issue.code === 'too_big');
  refuse(client, { refused: tooLarge ? 'too-large' : 'bad-request', message: `This frame does not fit: ${reason}` }, idsIn(json));
}

function handle(reception: Reception, client: Client, frame: ClientFrame) {
  switch (frame.type) {
    case 'hello':
      return greet(reception, client, frame.v);
    case 'ping':
      return tell(client, { type: 'pong' });
    case 'subscribe':
      return frame.sessionId === '*' ? reception.hub.subscribeToList(client) : subscribe(reception, client, frame.sessionId, frame.after);
    case 'unsubscribe':
      if (frame.sessionId === '*') client.list = 'off';
      else reception.hub.unsubscribe(client, frame.sessionId);
      return;
    case 'input': {
      const problem = messageProblem(frame.text, frame.images);
      if (problem !== undefined) return refuse(client, problem, frame);
      return submit(reception, client, { ...frame, type: 'input.send' });
    }
    case 'interrupt':
      return submit(reception, client, { ...frame, type: 'turn.interrupt' });
    case 'permission': {
      const refusal = refusalToRemember(client.identity.role, frame.remember);
      if (refusal !== undefined) return refuse(client, refusal, frame);
      const sessionId = client.engine.sessionOfRequest(frame.requestId);
      if (sessionId === undefined) return refuse(client, { refused: 'not-found', message: `There is no request ${frame.requestId}` }, frame);
      return submit(reception, client, { ...frame, sessionId, type: 'permission.answer' });
    }
  }
}

function greet({ serverId }: Reception, client: Client, revision: number) {
  const { id, name, role } = client.identity;
  if (revision === FRAME_REVISION) {
    tell(client, { type: 'welcome', v: FRAME_REVISION, serverId, you: { id, name, role } });
    const problems = [...client.engine.problems()];
    return problems.length === 0 ? undefined : tell(client, { type: 'problems', problems });
  }
  const older = revision < FRAME_REVISION ? 'This page is older than the server: reload it' : 'This page is newer than the server: update Signalbox';
  const message = `${older} (frames of revision ${revision} met revision ${FRAME_REVISION})`;
  tell(client, { type: 'refused', code: 'revision', message });
  client.close(CLOSE_CODES.revision, message);
}

function subscribe({ hub, log }: Reception, client: Client, sessionId: SessionId, after: number | undefined) {
  if (client.subscriptions.size >= SUBSCRIPTIONS_MAX && !client.subscriptions.has(sessionId)) {
    return refuse(client, { refused: 'too-large', message: `One connection may watch at most ${SUBSCRIPTIONS_MAX} sessions` }, { sessionId });
  }
  if (hub.subscribe(client, sessionId, after)) return;
  hub.subscribeToPast(client, sessionId, after).then(
    (isThere) => isThere || refuse(client, { refused: 'not-found', message: `There is no session ${sessionId}` }, { sessionId }),
    (error: unknown) => {
      log.error({ err: error, sessionId }, 'a past session could not be read');
      refuse(client, { refused: 'bad-request', message: 'This session could not be read; try again' }, { sessionId });
    },
  );
}

function submit({ log }: Reception, client: Client, command: Command) {
  const refusal = refusalBefore(client, command);
  if (refusal !== undefined) return refuse(client, refusal, command);
  client.commandsInFlight += 1;
  client.engine
    .submit(command, actorOf(client.identity, client.from))
    .then((receipt) => {
      if (isRefusal(receipt)) return refuse(client, receipt, command);
      tell(client, { type: 'ack', commandId: receipt.commandId, sessionId: receipt.sessionId, seq: receipt.seq, queued: receipt.queued });
    })
    .catch((error: unknown) => {
      log.error({ err: error, command: command.type, sessionId: command.sessionId }, 'a command met an unexpected error');
      tell(client, {
        type: 'refused',
        commandId: command.commandId,
        sessionId: command.sessionId,
        code: 'internal',
        message: 'Something went wrong in the server; send it again',
      });
    })
    .finally(() => {
      client.commandsInFlight -= 1;
    });
}

function refusalBefore(client: Client, command: Command): Refusal | undefined {
  const needs = ROLE_OF_COMMAND[command.type];
  if (!mayActAs(client.identity.role, needs)) return { refused: 'not-permitted', message: `This needs the role ${needs}; yours is ${client.identity.role}` };
  if (client.commandsInFlight < COMMANDS_IN_FLIGHT_MAX) return undefined;
  return { refused: 'queue-full', message: `At most ${COMMANDS_IN_FLIGHT_MAX} commands may be on their way at once: wait for an answer first` };
}

function refuse(client: Client, refusal: Refusal, about: { readonly commandId?: CommandId | undefined; readonly sessionId?: string | undefined }) {
  tell(client, { type: 'refused', commandId: about.commandId, sessionId: about.sessionId, code: refusal.refused, message: refusal.message });
}

const Ids = z.object({ commandId: z.optional(CommandId), sessionId: z.optional(z.string().check(z.maxLength(200))) });

/** Even a frame that does not fit may say which command it was, so that its sender can put it right. */
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
