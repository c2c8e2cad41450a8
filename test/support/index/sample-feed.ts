import type { IndexedSession, IndexWriter } from '../../../src/index/store/index-store.ts';
import type { Event } from '../../../src/protocol/event.ts';
import { called, eventsFrom, idOf, indexedSession, prompt, returned, StoredEvents, spoken } from './index-samples.ts';

/** The same past and own sessions every time, and a feed that continues from the cursors of an index. */
const WORDS = ['apple', 'foo_bar(', 'Über', '日本', 'the', 'a.b::c', 'needle', 'x'];
const wordAt = (index: number): string => WORDS[(index * 7 + Math.floor(index / 5)) % WORDS.length] ?? 'x';

const past: readonly { readonly session: IndexedSession; readonly events: readonly Event[] }[] = Array.from({ length: 12 }, (_, number) => ({
  session: indexedSession(`past${number}`, { project: `P${number % 3}`, projectId: `id${number % 3}` }),
  events: eventsFrom(Array.from({ length: 40 }, (_, line) => bodyAt(number, line))),
}));

function bodyAt(number: number, line: number): object {
  const text = `${wordAt(number + line)} ${wordAt(number * line)} of ${number} at ${line}`;
  const call = `t${Math.floor(line / 4)}`;
  if (line % 4 === 0) return prompt(text);
  if (line % 4 === 1) return spoken(text);
  if (line % 4 === 2) return called(call, 'Edit', { file_path: `/w/src/f${line % 5}.ts`, text });
  return returned(call, text, { isError: line % 8 === 3, change: { kind: 'edit', path: `/w/src/f${line % 5}.ts`, patch: `+${text}` } });
}

const OWN = 4;
const OWN_EVENTS = 30;

/** The journal: own sessions in turn; the second is deleted at the end, the third gets a title and a note. */
const journal = Array.from({ length: OWN * OWN_EVENTS }, (_, index) => {
  const [number, line] = [index % OWN, Math.floor(index / OWN)];
  const [event] = eventsFrom([ownBodyAt(number, line)], line + 1);
  if (event === undefined) throw new Error('eventsFrom returned nothing');
  return { position: index + 1, session: idOf(`own${number}`), event };
});

function ownBodyAt(number: number, line: number): object {
  if (line === 0) return { type: 'session.created', agent: 'demo', cwd: `/w/own${number}`, node: 'n', owner: 'o', options: {} };
  if (number === 1 && line === OWN_EVENTS - 1) return { type: 'session.deleted' };
  if (number === 2 && line % 10 === 5) return { type: 'meta.changed', title: `needle name ${line}`, note: `apple note ${line}` };
  return line === 1 ? { type: 'input.accepted', commandId: 'c', text: `begin ${wordAt(number)}`, mode: 'queue' } : bodyAt(number + 100, line);
}

export const sampleHitSources = (): StoredEvents => {
  const pastSessions = new StoredEvents();
  for (const { session, events } of past) pastSessions.add(session.id, events);
  for (const { session, event } of journal) pastSessions.add(session, [event]);
  return pastSessions;
};

/** Feeds what is missing, a few events at a time and some sessions in one batch, starting at the cursors; calls `step` after each. */
export function feedSamples(writer: IndexWriter, step: () => void = () => undefined): void {
  for (const [index, { session, events }] of past.entries()) {
    writer.beginBatch();
    for (let cursor = writer.pastCursor(session.id); cursor < events.length; cursor = writer.pastCursor(session.id)) {
      writer.put(session, events.slice(cursor, cursor + 7), []);
      step();
    }
    if (index % 3 === 2) writer.commit();
    const position = writer.position();
    writer.follow(journal.slice(position, position + 11));
    step();
  }
  writer.commit();
  for (let position = writer.position(); position < journal.length; position = writer.position()) {
    writer.follow(journal.slice(position, position + 11));
    step();
  }
}

export const SAMPLE_QUERIES = [
  'apple',
  'foo_bar(',
  'uber',
  '本',
  'a.b::c',
  'needle kind:title',
  'apple kind:note',
  'the is:error',
  'the project:p1',
  'x tool:edit',
  'path:src/f2.ts',
];
SAMPLE_QUERIES.push('"of 3 at 7"', 'kind:diff the', 'of');
