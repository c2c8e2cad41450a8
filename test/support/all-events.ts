import type { Event } from '../../src/protocol/event.ts';
import { api } from './client.ts';
import type { TestServer } from './real-server.ts';

const PAGE = 1000;

/** Every event in a session's journal. */
export async function allEvents(server: TestServer, id: string): Promise<readonly Event[]> {
  const events: Event[] = [];
  for (;;) {
    const after = events.at(-1)?.seq ?? 0;
    const page = (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?after=${after}&limit=${PAGE}`)).body.events;
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}
