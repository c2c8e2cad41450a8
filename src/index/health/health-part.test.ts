import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { openDatabase } from '../../journal/sqlite-driver.ts';
import { SessionHealth } from '../../protocol/api/health.ts';
import type { Event, EventBody } from '../../protocol/event.ts';
import { AgentId, SessionId } from '../../protocol/ids.ts';
import { HealthBrief } from '../../protocol/session.ts';
import type { HealthWriter, KnownSession } from '../store/index-part.ts';
import type { IndexedUsage } from '../store/index-store.ts';
import { healthPart } from './health-part.ts';

const folder = temporaryFolder();
const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const session: KnownSession = {
  number: 7,
  id: SessionId.parse('s7'),
  agent: AgentId.parse('one'),
  title: 't',
  project: 'p',
  projectId: 'p1',
  createdAt: at(0),
};

function sessionIndex(now = 60, openElsewhere: readonly string[] = []) {
  const db = openDatabase(join(folder.make(), 'library.db'));
  const part = healthPart({
    now: () => Date.parse(at(now)),
    isOpenElsewhere: (id) => openElsewhere.includes(id),
    windowOf: (agent, model) => (agent === 'one' && model === 'big' ? 200_000 : undefined),
  });
  db.exec('CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT UNIQUE)');
  db.prepare('INSERT INTO sessions VALUES (?, ?)').run(session.number, session.id);
  db.exec(part.schema);
  const real = part.write(db);
  // Each batch is its own transaction.
  const take: HealthWriter['take'] = (...batch) => {
    real.take(...batch);
    real.ending?.();
    real.ended?.();
  };
  const reader = part.read(db);
  return { writer: { ...real, take }, reader, stored: () => String(db.prepare('SELECT state FROM health').get()?.state) };
}

const numbered = (bodies: readonly EventBody[], from = 1): Event[] =>
  bodies.map((body, index) => ({ ...body, seq: from + index, at: at(from + index) }) as Event);
const prompt: EventBody = { type: 'user.message', text: 'go', origin: 'elsewhere' };
const call: EventBody = { type: 'tool.started', toolUseId: 'x', name: 'Run', input: {} };
const answer = (seq: number, contextTokens: number, over: Partial<IndexedUsage> = {}): IndexedUsage => ({
  seq,
  at: at(seq),
  model: 'big',
  contextTokens,
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  ...over,
});

test('the health of a past session uses the context window of its model', () => {
  const { writer, reader } = sessionIndex();
  writer.take(session, numbered([prompt, call]), [answer(2, 150_000)]);
  const health = SessionHealth.parse(reader.health(session.id));
  expect(health).toMatchObject({ pressure: 'moderate', now: 150_000, windowTokens: 200_000, windowShare: 0.75, cause: 'killed', causeSeq: 2, seq: 2 });
});

test('[R224] the context window is not guessed: not for another model, and not if the context is already larger', () => {
  for (const spent of [answer(1, 150_000, { model: 'other' }), answer(1, 250_000)]) {
    const { writer, reader } = sessionIndex();
    writer.take(session, numbered([prompt]), [spent]);
    expect(reader.health(session.id)?.windowTokens).toBeUndefined();
  }
  const { writer, reader } = sessionIndex();
  writer.take(session, numbered([prompt]), [answer(1, 1_000, { contextWindow: 8_000 })]);
  expect(reader.health(session.id)?.windowTokens).toBe(8_000);
});

test('a session that is open in another program was not killed', () => {
  const { writer, reader } = sessionIndex(60, ['s7']);
  writer.take(session, numbered([prompt, call]), []);
  expect(reader.health(session.id)?.cause).toBeUndefined();
});

test('continuing from the stored state gives the same result as reading everything at once', () => {
  const [events, spent] = [numbered([prompt, call, prompt, call]), [answer(1, 10), answer(2, 130_000), answer(4, 20)]];
  const [whole, pieces] = [sessionIndex(), sessionIndex()];
  whole.writer.take(session, events, spent);
  for (const event of events) {
    const usage = spent.filter(({ seq }) => seq === event.seq);
    pieces.writer.take(session, [event], usage);
  }
  expect(pieces.reader.health(session.id)).toEqual(whole.reader.health(session.id));
  expect(pieces.stored()).toBe(whole.stored());
});

test('lists get every changed session once', () => {
  const { writer, reader } = sessionIndex();
  writer.take(session, numbered([prompt]), [answer(1, 10)]);
  const changed = writer.changed();
  expect([...changed]).toEqual([...reader.briefs([session.id, SessionId.parse('nobody')])]);
  expect(HealthBrief.parse(changed.get(session.id))).toMatchObject({ pressure: 'none', now: 10, peakTokens: 10, line: [10], compactions: 0 });
  expect(writer.changed().size).toBe(0);
});

test('a forgotten session is gone, and a healthy session takes almost no space', () => {
  const { writer, reader, stored } = sessionIndex();
  writer.take(session, numbered([prompt]), []);
  expect(stored().length).toBeLessThan(80);
  writer.forget(session.number);
  expect(reader.health(session.id)).toBeUndefined();
});
