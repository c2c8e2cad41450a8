import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OPENCLAW_RECORDED, writeOpenclawDatabase } from '../../test/support/agents/openclaw-database.ts';
import { ReportedNews } from '../../test/support/archive/toy-setup.ts';
import { seeded } from '../../test/support/seeded.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { PAST_AGENTS } from '../agents/index.ts';
import { Event } from '../protocol/event.ts';
import { openArchiveIndexer } from './open-indexer.ts';
import { openArchiveReader } from './open-reader.ts';
import { walk } from './records/walk-folders.ts';

const AGENTS_FOLDER = join(import.meta.dirname, '../agents');

/** The homes of all agents with everything that was recorded of them, in the layout the agents use. */
function recordedHome(): string {
  const home = temporaryFolder('home');
  cpSync(join(AGENTS_FOLDER, 'claude-code/recordings/projects'), join(home, '.claude/projects'), {
    recursive: true,
    filter: (path) => !path.endsWith('.golden.json'),
  });
  layOut('pi/recordings/vault', (name, id) => join(home, `.pi/agent/sessions/--work--/${name}_${id}.jsonl`));
  layOut('codex/recordings', (name, id) => join(home, `.codex/sessions/2026/11/15/rollout-2026-11-15T00-00-00-${id || name}.jsonl`));
  const database = join(home, '.openclaw/agents/main/agent/openclaw-agent.sqlite');
  mkdirSync(dirname(database), { recursive: true });
  writeOpenclawDatabase(database, OPENCLAW_RECORDED);
  return home;
}

function layOut(folder: string, placeOf: (name: string, id: string) => string): void {
  walk(join(AGENTS_FOLDER, folder), {
    file: (root, relative) => {
      if (!relative.endsWith('.jsonl') || relative.includes('/')) return;
      const text = readFileSync(join(root, relative), 'utf8');
      const id = /"id":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? '';
      const place = placeOf(basename(relative, '.jsonl').replace(/[^\w.-]/g, '-'), id);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
    },
    unreadable: (path) => expect.fail(path),
  });
}

function openBoth(home: string) {
  const [dataDir, reported, env] = [temporaryFolder('data'), new ReportedNews(), { HOME: home }];
  const indexer = openArchiveIndexer({ dataDir, agents: PAST_AGENTS, env, news: reported, now: () => performance.now() });
  const reader = openArchiveReader({ dataDir, agents: PAST_AGENTS });
  onTestFinished(() => {
    indexer.close();
    reader.close();
  });
  const read = (): void => {
    indexer.sweep();
    while (indexer.step());
  };
  return { indexer, reader, reported, read };
}

test('every recorded conversation of every agent is read, numbered without gaps, and reads the same the second time', () => {
  const { indexer, reader, reported, read } = openBoth(recordedHome());
  read();
  const sessions = [...reader.sessions()];
  expect(new Set(sessions.map(({ agent }) => agent)).size).toBe(4);
  expect(indexer.progress()).toMatchObject({ phase: 'ready', unreadable: [] });
  for (const session of sessions) {
    const { events } = reader.batch(session.id, 0, 100_000);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: session.lastSeq }, (_, index) => index + 1));
    expect(events).toEqual(reported.batches.filter((batch) => batch.session.id === session.id).flatMap((batch) => batch.events));
    expect(events.filter((event) => !Event.safeParse(event).success)).toEqual([]);
    const shown = new Set(reader.branches(session.id).flatMap(({ branch }) => reader.events(session.id, { branch, limit: 100_000 }).map(({ seq }) => seq)));
    expect(shown.size).toBe(events.length);
  }
});

test('a recorded conversation that grows in pieces of any size is read as if it had been complete from the start', () => {
  const whole = recordedHome();
  const once = openBoth(whole);
  once.read();
  const home = temporaryFolder('growing');
  const piecewise = openBoth(home);
  const random = seeded(7);
  for (const path of filesOf(whole, '.claude/projects').slice(0, 12)) {
    const bytes = readFileSync(join(whole, path));
    mkdirSync(dirname(join(home, path)), { recursive: true });
    for (let from = 0; from < bytes.length; ) {
      const to = from + 1 + Math.floor(random() * bytes.length * 0.4);
      appendFileSync(join(home, path), bytes.subarray(from, to));
      piecewise.read();
      from = to;
    }
  }
  for (const session of piecewise.reader.sessions()) {
    const words = (reader: typeof once.reader) => reader.batch(session.id, 0, 100_000).events.map(({ seq: _, src: _src, ...event }) => JSON.stringify(event));
    expect(words(piecewise.reader).sort()).toEqual(words(once.reader).sort());
  }
});

function filesOf(home: string, below: string): readonly string[] {
  const found: string[] = [];
  walk(join(home, below), { file: (root, relative) => found.push(join(below, relative)) && root, unreadable: (path) => expect.fail(path) });
  return found.sort();
}
