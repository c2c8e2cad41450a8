import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../../engine/engine.ts';
import type { SessionIndex } from '../../index/session-index.ts';
import type { MachineList } from '../../protocol/api/machines.ts';
import type { Command, Receipt, Refusal } from '../../protocol/command.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { Answer, Route } from '../http/route.ts';
import type { Client } from '../ws/client.ts';
import type { Hub } from '../ws/hub.ts';

/** The other machines of the cluster, as the server uses them. Absent without a Redis URL; then nothing of `remote/` is loaded. */
export interface Remote {
  /** Gives it what it needs to answer other machines. Called once, before the first request. */
  attach(server: LocalServer): void;
  /** Answers a request that another machine has to answer; undefined: it is for this machine. */
  forward(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
  /** Adds what other machines answer to the same question. */
  merge(route: Pick<Route, 'method' | 'path'>, request: FastifyRequest, answer: Answer): Promise<Answer>;
  /** Sessions of other machines that lists show, as last known. */
  sessions(): readonly Session[];
  /** A session of another machine as it is, or was last known; any other session unchanged. */
  current(session: Session): Session;
  waiting(): readonly WaitingPermission[];
  sessionOfRequest(requestId: string): SessionId | undefined;
  /** Whether the session is known to be on another machine. */
  has(id: SessionId): boolean;
  /** Shows a session of another machine to a client; false when no machine has it, a refusal when that can't be said now. */
  subscribe(client: Client, id: SessionId, after: number | undefined): Promise<boolean | Refusal>;
  unsubscribe(client: Client, id: SessionId): void;
  leave(client: Client): void;
  drained(client: Client): void;
  /** Sends a command to the machine that has the session; undefined: it is for this machine. */
  submit(client: Client, command: Command): Promise<Receipt | Refusal | undefined>;
  machines(): MachineList;
  forget(node: string): Promise<boolean>;
}

export interface LocalServer {
  readonly app: FastifyInstance;
  readonly hub: Hub;
  readonly engine: Engine;
  readonly sessionIndex: SessionIndex;
  readonly routes: readonly Route[];
}
