import * as z from 'zod/mini';
import type { Event } from '../../../src/protocol/event.ts';
import { type AgentDescription, AgentList, type CreateSessionBody, ErrorBody, FolderList, Me, ProposalList } from '../../../src/protocol/http.ts';
import { Session } from '../../../src/protocol/session.ts';
import { eventOf } from '../socket/parse-frame.ts';
import { fetchWithKey } from './key.ts';
import { type PersonApi, personApi } from './person-api.ts';
import { type SessionApi, sessionApi } from './session-api.ts';
import { type SessionListApi, sessionListApi } from './session-list-api.ts';

/** The server refused or could not be reached; the message is for the user. */
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

export interface Api extends SessionApi, SessionListApi, PersonApi {
  /** Who is signed in. */
  me(): Promise<Me>;
  /** `rescan`: checks every program's version again. */
  /** `node`: another machine of the cluster. */
  agents(rescan?: 'rescan', node?: string): Promise<readonly AgentDescription[]>;
  /** Subfolders of a folder that sessions may use; without a path, the allowed roots. */
  folders(path?: string, node?: string): Promise<FolderList>;
  /** The rules that an approval could create, or why it can't create one. */
  proposals(requestId: string): Promise<ProposalList>;
  /** `branch`: one branch of a past session; without it, the branch that the agent would continue. */
  eventsBefore(sessionId: string, before: number, limit: number, branch?: number): Promise<readonly Event[]>;
  eventsAfter(sessionId: string, after: number, limit: number, branch?: number): Promise<readonly Event[]>;
  createSession(body: CreateSessionBody): Promise<Session>;
  /** False if the server rejects this browser's key; true if the server can't be reached. */
  isSignedIn(): Promise<boolean>;
  stop(sessionId: string): Promise<void>;
}

export function createApi(base: string): Api {
  const call = caller(base);
  const path = (sessionId: string) => `api/sessions/${encodeURIComponent(sessionId)}`;
  return {
    ...sessionApi(call),
    ...sessionListApi(call),
    ...personApi(call),
    me: async () => Me.parse(await call('GET', 'api/me')),
    agents: async (rescan, node) =>
      AgentList.parse(await call('GET', `api/agents${queryOf({ refresh: rescan === undefined ? undefined : 'true', node })}`)).agents,
    folders: async (path, node) => FolderList.parse(await call('GET', `api/folders${queryOf({ path, node })}`)),
    proposals: async (requestId) => ProposalList.parse(await call('GET', `api/permissions/${encodeURIComponent(requestId)}/proposals`)),
    eventsBefore: async (id, before, limit, branch) => eventsOf(await call('GET', `${path(id)}/events?before=${before}&limit=${limit}${onBranch(branch)}`)),
    eventsAfter: async (id, after, limit, branch) => eventsOf(await call('GET', `${path(id)}/events?after=${after}&limit=${limit}${onBranch(branch)}`)),
    createSession: async (body) => Session.parse(await call('POST', 'api/sessions', body)),
    isSignedIn: () => signedIn(base),
    stop: async (id) => void (await call('POST', `${path(id)}/stop`, {})),
  };
}

/** A query of what is given; empty if nothing is. */
function queryOf(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

const onBranch = (branch: number | undefined): string => (branch === undefined ? '' : `&branch=${branch}`);

const Events = z.object({ events: z.array(z.looseObject({ seq: z.int() })) });
const eventsOf = (body: unknown): readonly Event[] => Events.parse(body).events.map((event) => eventOf(event, event.seq));

/** Calls the server; throws `ApiError` with its message if it refuses. */
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

const UNREACHABLE = 'Can’t reach the server. Try again when you are back online.';
// Only the answer may have been lost.
const UNANSWERED = 'The server didn’t answer, so this may or may not have been done. Try again when you are back online.';

/** The server refused. Any other error may mean that it was done and only the answer was lost. */
export const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500;

function refusal(status: number, answer: unknown): ApiError {
  const parsed = ErrorBody.safeParse(answer);
  if (parsed.success) return new ApiError(status, parsed.data.error.code, parsed.data.error.message);
  return new ApiError(status, 'unexpected', `The server answered ${status} without a reason. Try again, or check its log.`);
}

async function signedIn(base: string): Promise<boolean> {
  const response = await fetchWithKey(base, 'api/me').catch(() => undefined);
  return response?.status !== 401;
}
