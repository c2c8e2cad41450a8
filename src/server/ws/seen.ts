import type { ServerFrame } from '../../protocol/frame.ts';
import type { SeenMarks } from '../../protocol/seen.ts';
import { type Client, postToList } from './client.ts';
import type { Connections } from './connections.ts';
import { wireFrame } from './wire-frame.ts';

/** All marks of one person that still say something: the frame replaces what their page had. */
export function allSeen({ seen }: Connections, client: Client): ServerFrame {
  const { since, marks } = seen.of(client.identity.id);
  const there = client.engine.sessions().flatMap(({ id }) => (marks[id] === undefined ? [] : [[id, marks[id]] as const]));
  return { type: 'seen', reset: true, since, marks: Object.fromEntries(there) };
}

/** A change goes to all pages of that person. */
export function postSeen({ clients }: Connections, personId: string, changed: SeenMarks) {
  const frame = wireFrame({ type: 'seen', ...changed });
  for (const client of clients) if (client.identity.id === personId) postToList(client, frame);
}
