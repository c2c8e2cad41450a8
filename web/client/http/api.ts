import * as z from 'zod/mini';
import type { Event } from '../../../src/protocol/event.ts';
import {
  type AgentDescription,
  AgentList,
  type CreateSessionBody,
  ErrorBody,
  FolderList,
  Me,
  PermissionList,
  ProposalList,
  type WaitingPermission,
} from '../../../src/protocol/http.ts';
import { Session } from '../../../src/protocol/session.ts';
import { eventOf } from '../socket/parse-frame.ts';
import { fetchWithKey } from './key.ts';
import { type PersonApi, personApi } from './person-api.ts';
import { type SessionApi, sessionApi } from './session-api.ts';
import { type LibraryApi, libraryApi } from './session-list-api.ts';

/** The server said no, or could not be reached; the message is meant for a person. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface Api extends SessionApi, LibraryApi, PersonApi {
  /** Who this page speaks for. */
  me(): Promise<Me>;
  /** `anew`: every program is asked for its version again. */
  agents(anew?: 'anew'): Promise<readonly AgentDescription[]>;
  /** Folders inside one in which sessions may run; without a path those themselves. */
  folders(path?: string): Promise<FolderList>;
  permissions(): Promise<readonly WaitingPermission[]>;
  /** As what an allow could be remembered, or why it cannot. */
  proposals(requestId: string): Promise<ProposalList>;
  /** With `branch`, of one way through a past session; without it, of the one with which the agent would go on. */
  eventsBefore(sessionId: string, before: number, limit: number, branch?: number): Promise<readonly Event[]>;
  eventsAfter(sessionId: string, after: number, limit: number, branch?: number): Promise<readonly Event[]>;
  createSession(body: CreateSessionBody): Promise<Session>;
  /** False when the server does not know us; a server that cannot be reached is not a reason to doubt it. */
  isSignedIn(): Promise<boolean>;
  stop(sessionId: string): Promise<void>;
}

export function createApi(base: string): Api {
  const call = caller(base);
  const path = (sessionId: string) => `api/sessions/${encodeURIComponent(sessionId)}`;
  return {
    ...sessionApi(call),
    ...libraryApi(call),
    ...personApi(call),
    me: async () => Me.parse(await call('GET', 'api/me')),
    agents: async (anew) => AgentList.parse(await call('GET', anew === undefined ? 'api/agents' : 'api/agents?refresh=true')).agents,
    folders: async (path) => FolderList.parse(await call('GET', path === undefined ? 'api/folders' : `api/folders?path=${encodeURIComponent(path)}`)),
    permissions: async () => PermissionList.parse(await call('GET', 'api/permissions')).permissions,
    proposals: async (requestId) => ProposalList.parse(await call('GET', `api/permissions/${encodeURIComponent(requestId)}/proposals`)),
    eventsBefore: async (id, before, limit, branch) => eventsOf(await call('GET', `${path(id)}/events?before=${before}&limit=${limit}${onBranch(branch)}`)),
    eventsAfter: async (id, after, limit, branch) => eventsOf(await call('GET', `${path(id)}/events?after=${after}&limit=${limit}${onBranch(branch)}`)),
    createSession: async (body) => Session.parse(await call('POST', 'api/sessions', body)),
    isSignedIn: () => signedIn(base),
    stop: async (id) => void (await call('POST', `${path(id)}/stop`, {})),
  };
}

const onBranch = (branch: number | undefined): string => (branch === undefined ? '' : `&branch=${branch}`);

const Events = z.object({ events: z.array(z.looseObject({ seq: z.int() })) });
const eventsOf = (body: unknown): readonly Event[] => Events.parse(body).events.map((event) => eventOf(event, event.seq));

/** Asks the server; throws `ApiError` with its words when it refuses. */
export const caller =
  (base: string) =>
  async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> => {
    const response = await reach(base, method, path, body, signal);
    const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
    if (!response.ok) throw refusal(response.status, answer);
    return answer;
  };

async function reach(base: string, method: string, path: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  try {
    return await fetchWithKey(base, path, { method, ...sent, ...(signal !== undefined && { signal }) });
  } catch (cause) {
    throw new ApiError(0, 'unreachable', method === 'GET' ? UNREACHABLE : UNANSWERED, { cause });
  }
}

const UNREACHABLE = 'The server cannot be reached. Try again when the connection is back.';
// The answer may be what was lost.
const UNANSWERED = 'The server did not answer, so it is not known whether this was done. Try again when the connection is back.';

/** The server said no: asking the same again is asking anew. Anything else may mean that it was done and the answer was lost. */
export const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500;

function refusal(status: number, answer: unknown): ApiError {
  const parsed = ErrorBody.safeParse(answer);
  if (parsed.success) return new ApiError(status, parsed.data.error.code, parsed.data.error.message);
  return new ApiError(status, 'unexpected', `The server answered ${status} without saying why.`);
}

async function signedIn(base: string): Promise<boolean> {
  const response = await fetchWithKey(base, 'api/permissions').catch(() => undefined);
  return response?.status !== 401;
}
