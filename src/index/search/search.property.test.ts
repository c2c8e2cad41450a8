import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  called,
  eventsFrom,
  indexedSession,
  prompt,
  readerAt,
  returned,
  StoredEvents,
  spoken,
  timeAt,
  writerAt,
} from '../../../test/support/index/index-samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { documentsOf } from '../../domain/search/document.ts';
import { fold } from '../../domain/search/fold.ts';
import { containsAll } from '../../domain/search/occurrences.ts';
import { type ParsedQuery, parseQuery } from '../../domain/search/query.ts';
import { HitKind, type SearchQuery } from '../../protocol/api/search.ts';
import type { Event } from '../../protocol/event.ts';
import { AgentId } from '../../protocol/ids.ts';
import type { IndexedSession, IndexReader, IndexWriter } from '../store/index-store.ts';

const folder = temporaryFolder();

const word = fc.constantFrom('foo', 'bar', 'foobar', 'Foo', 'fö', 'a', 'b1', '日', '本', 'x_y', 'the', 'É', 'e\u0301t', '😀');
const sign = fc.constantFrom(' ', '_', '(', '::', '.', '\n', '  ', '*', '"', '-', '\t', '\0', '\ue000k1', '');
const text = fc.array(fc.tuple(word, sign), { minLength: 1, maxLength: 6 }).map((pairs) => pairs.flat().join(''));

const exchange = fc.oneof(
  text.map((words) => [prompt(words)]),
  text.map((words) => [spoken(words)]),
  text.map((words) => [{ type: 'assistant.thinking', messageId: 'm', index: 0, text: words }]),
  fc
    .tuple(text, text, fc.boolean(), fc.constantFrom('Read', 'Bash', 'Über'))
    .map(([input, output, isError, tool]) => [called('t', tool, { text: input }), returned('t', output, { isError })]),
);
const session = fc.array(exchange, { minLength: 1, maxLength: 6 }).map((parts) => parts.flat());
const allSessions = fc.array(session, { minLength: 1, maxLength: 4 });

const filter = fc.oneof(
  fc.constantFrom('', '', '', 'is:error', 'agent:demo', 'agent:oth', 'project:p1', 'tool:bash', 'tool:r*', 'tool:über'),
  fc.constantFrom(...HitKind.options).map((kind) => `kind:${kind}`),
  fc.tuple(fc.constantFrom('before', 'after'), fc.integer({ min: 0, max: 12 })).map(([operator, minute]) => `${operator}:${timeAt(minute)}`),
);
const term = fc.oneof(
  word,
  word.map((one) => `${one}*`),
  text.map((one) => `"${one.replaceAll('"', '')}"`),
  text.map((one) => one.replaceAll(/\s/g, '')),
);
const query = fc.tuple(fc.array(term, { minLength: 1, maxLength: 2 }), filter).map(([terms, narrowed]): SearchQuery => ({ q: [...terms, narrowed].join(' ') }));

test('[R214] a search finds exactly what reading every text finds', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(allSessions, fc.array(query, { minLength: 1, maxLength: 12 }), (sessions, queries) => {
      const path = join(folder.make(), 'library.db');
      const writer = writerAt(path);
      const reader = readerAt(path);
      const pastSessions = new StoredEvents();
      const stored = sessions.map((bodies, index) => fill(writer, pastSessions, index, bodies));
      for (const one of queries) {
        const parsed = parseQuery(one);
        if ('refused' in parsed) continue;
        expect({ one, found: allHits(reader, pastSessions, one) }).toEqual({ one, found: stored.flatMap((each) => readThrough(each, parsed)).sort() });
      }
      reader.close();
      writer.close();
    }),
    { numRuns: proofCount(60) },
  );
});

interface Stored {
  readonly session: IndexedSession;
  readonly events: readonly Event[];
}

function fill(writer: IndexWriter, pastSessions: StoredEvents, index: number, bodies: readonly object[]): Stored {
  const agent = AgentId.parse(index % 2 === 0 ? 'demo' : 'other');
  const facts = indexedSession(`s${index}`, { title: '', agent, project: `P${index % 3}`, projectId: `id${index % 3}` });
  const events = pastSessions.add(facts.id, eventsFrom(bodies));
  const half = Math.floor(events.length / 2);
  writer.put(facts, events.slice(0, half), []);
  writer.put(facts, events.slice(half), []);
  return { session: facts, events };
}

function allHits(reader: IndexReader, pastSessions: StoredEvents, one: SearchQuery): readonly string[] {
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = reader.search({ ...one, limit: 3, ...(cursor !== undefined && { cursor }) }, pastSessions);
    seen.push(...page.hits.map((hit) => `${hit.sessionId}#${hit.seq} ${hit.kind}`));
    if (page.nextCursor === undefined) {
      expect(page).toMatchObject({ total: seen.length, more: false });
      return seen.sort();
    }
    cursor = page.nextCursor;
  }
}

function readThrough({ session: facts, events }: Stored, parsed: ParsedQuery): readonly string[] {
  let tool = '';
  return events.flatMap((event) => {
    if (event.type === 'tool.started') tool = event.name;
    const of = event.type === 'tool.started' || event.type === 'tool.completed' ? tool : '';
    const places = documentsOf(event).filter((document) => {
      const at = Date.parse(event.at);
      return (
        containsAll(fold(document.text), parsed.terms) &&
        (parsed.kinds.length === 0 || parsed.kinds.includes(document.kind)) &&
        (!parsed.isError || document.isError === true) &&
        parsed.agents.every((agent) => facts.agent.startsWith(agent)) &&
        parsed.projects.every((project) => fold(facts.project) === project) &&
        parsed.tools.every((wanted) => fold(of) === wanted || (wanted === 'r*' && of === 'Read')) &&
        at >= (parsed.after ?? 0) &&
        at < (parsed.before ?? Number.POSITIVE_INFINITY)
      );
    });
    return places.map((document) => `${facts.id}#${event.seq} ${document.kind}`);
  });
}
