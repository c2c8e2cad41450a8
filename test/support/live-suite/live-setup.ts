import { existsSync } from 'node:fs';
import type { Event, EventOf, EventType } from '../../../src/protocol/event.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { api } from '../client.ts';
import type { TestServer } from '../real-server.ts';
import type { SpawnedModel } from '../scripted-model/spawn.ts';
import { waitFor } from '../wait-for.ts';
import { WAIT_LIMIT_MS } from '../wait-limit.ts';

/** The real server, a real agent and the scripted model, each in its own process. */
export interface LiveSetup {
  readonly server: TestServer;
  readonly model: SpawnedModel;
  create(prompt?: string, more?: Readonly<Record<string, unknown>>): Promise<Session>;
  send(id: string, text: string): Promise<string>;
  answer(requestId: string, behavior: 'allow' | 'deny', more?: Readonly<Record<string, unknown>>): Promise<number>;
  session(id: string): Promise<Session>;
  events(id: string, after?: number): Promise<readonly Event[]>;
  event<T extends EventType>(id: string, type: T, matches?: (event: EventOf<T>) => boolean, after?: number): Promise<EventOf<T>>;
  /** Runs a prompt in the program as in a terminal, in the project, without Signalbox. Absent if Signalbox doesn't read those records. */
  inTerminal?(prompt: string, ...args: readonly string[]): Promise<void>;
  /** Processes that serve all sessions of the agent and outlive them. */
  outliving?(): readonly number[];
  /** Kills the agent's own process, like a crash. */
  killAgent(id: string): Promise<void>;
  close(): Promise<void>;
}

/** What tests can do with sessions of this agent. */
export function createLiveSetup(agent: string, server: TestServer, model: SpawnedModel, limitMs = WAIT_LIMIT_MS): LiveSetup {
  const events = async (id: string, after = 0) =>
    (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?after=${after}&limit=1000`)).body.events;
  const session = async (id: string) => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
  return {
    server,
    model,
    events,
    session,
    create: async (prompt, more = {}) => {
      const body = { agent, cwd: server.project, ...(prompt !== undefined && { prompt }), ...more };
      return accepted(await api<Session>(server, 'POST', '/api/sessions', body));
    },
    send: async (id, text) => accepted(await api<{ commandId: string }>(server, 'POST', `/api/sessions/${id}/input`, { text })).commandId,
    answer: async (requestId, behavior, more = {}) =>
      (await api(server, 'POST', `/api/permissions/${encodeURIComponent(requestId)}`, { behavior, ...more })).status,
    event: async (id, type, matches = () => true, after = 0) => {
      const isMatch = (event: Event): event is EventOf<typeof type> => event.type === type && matches(event as EventOf<typeof type>);
      const seen: Event[] = [];
      const check = async () => {
        const more = await events(id, seen.at(-1)?.seq ?? after).catch((error: unknown) => {
          throw new Error(`the server doesn't answer; it logged:\n${server.log().slice(-4000)}`, { cause: error });
        });
        seen.push(...more);
        return more.find(isMatch);
      };
      return waitFor(() => `${type} in ${seen.map((event) => event.type).join(', ')}\n${server.log().slice(-2000)}`, check, limitMs);
    },
    killAgent: async (id) => {
      const { pid } = await session(id);
      if (pid === undefined) throw new Error(`session ${id} has no process`);
      process.kill(pid, 'SIGKILL');
      await waitFor(`the end of process ${pid}`, () => !existsSync(`/proc/${pid}`));
    },
    close: async () => {
      await server.close();
      await model.close();
    },
  };
}

function accepted<T>(answer: { readonly status: number; readonly body: T }): T {
  if (answer.status >= 300) throw new Error(`refused with ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
