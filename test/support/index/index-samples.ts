import type { ReadFullText } from '../../../src/domain/search/full-text.ts';
import type { HealthReader, HealthWriter, IndexPart, PartWriter, UsageReader } from '../../../src/index/store/index-part.ts';
import type { HitSources, IndexedSession, IndexReader, IndexWriter } from '../../../src/index/store/index-store.ts';
import { openIndexWriter } from '../../../src/index/threads/open-index.ts';
import { openIndexReader } from '../../../src/index/threads/open-index-reader.ts';
import { Event } from '../../../src/protocol/event.ts';
import { AgentId, SessionId } from '../../../src/protocol/ids.ts';

/** Empty parts, for tests of the others. */
const idle: PartWriter = { take: () => undefined, forget: () => undefined, clear: () => undefined };
const usage: IndexPart<PartWriter, UsageReader> = {
  name: 'usage',
  version: 1,
  schema: '',
  write: () => idle,
  read: () => ({ usage: () => failOnUsage() }),
};
const health: IndexPart<HealthWriter, HealthReader> = {
  name: 'health',
  version: 1,
  schema: '',
  write: () => ({ ...idle, changed: () => new Map() }),
  read: () => ({ health: () => undefined, briefs: () => new Map() }),
};
const failOnUsage = (): never => {
  throw new Error('no test asks for usage here');
};

const projectOf = (cwd: string) => ({ project: cwd.split('/').at(-1) ?? cwd, projectId: `id of ${cwd}` });

export const writerAt = (path: string, blob: ReadFullText = () => undefined): IndexWriter => openIndexWriter({ path, projectOf, usage, health, blob });
export const readerAt = (path: string): IndexReader => openIndexReader({ path, usage, health });

export const idOf = (id: string): SessionId => SessionId.parse(id);

/** A past session. */
export const indexedSession = (id: string, fields: Partial<IndexedSession> = {}): IndexedSession => ({
  id: idOf(id),
  agent: AgentId.parse('demo'),
  title: `title of ${id}`,
  project: 'work',
  projectId: 'p-work',
  createdAt: timeAt(0),
  ...fields,
});

export const timeAt = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** Numbered events, one minute after the other. */
export const eventsFrom = (bodies: readonly object[], first = 1): readonly Event[] =>
  bodies.map((body, index) => Event.parse({ seq: first + index, at: timeAt(first + index), ...body }));

export const prompt = (text: string) => ({ type: 'user.message', text, origin: 'person' });
export const spoken = (text: string) => ({ type: 'assistant.text', messageId: 'm', index: 0, text });
export const called = (toolUseId: string, name: string, input: object) => ({ type: 'tool.started', toolUseId, name, input });
export const returned = (toolUseId: string, output: string, fields: object = {}) => ({ type: 'tool.completed', toolUseId, output, isError: false, ...fields });

/** Events that hits are read from. */
export class StoredEvents implements HitSources {
  readonly #events = new Map<string, Event>();

  add(session: SessionId, events: readonly Event[]): readonly Event[] {
    for (const event of events) this.#events.set(`${session} ${event.seq}`, event);
    return events;
  }

  event(session: SessionId, seq: number): Event | undefined {
    return this.#events.get(`${session} ${seq}`);
  }
}
