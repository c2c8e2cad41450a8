import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { forEach, type Problems } from '../../problems/problems.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { SeenMarks } from '../../protocol/seen.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** Up to where each person has seen each session, one file per person in the data folder. All devices of a person share it. */
export interface SeenSessions {
  of(personId: string): SeenMarks;
  /** Resolves when it would survive a power loss. A later mark never lowers an earlier one: two pages can report in any order. */
  see(personId: string, sessionId: SessionId, seq: number): Promise<void>;
  /** As if the person had never seen the session. */
  unsee(personId: string, sessionId: SessionId): Promise<void>;
  /** Called with every change, once it is durable. */
  watch(listener: SeenListener): () => void;
}

type SeenListener = (personId: string, changed: SeenMarks) => void;

/** Far more than anybody keeps open; beyond it the oldest marks go, and their sessions count as seen up to then. */
const MARKS_MAX = 20_000;

const SAVE = 'save what people have seen';
const TELL = 'show on all pages of a person what they have seen';

export function openSeenSessions(dataDir: string, problems: Pick<Problems, 'during'>, now: () => Date = () => new Date()): SeenSessions {
  const known = new Map<string, SeenMarks>();
  const last = new Map<string, Promise<void>>();
  const listeners = new Set<SeenListener>();
  const of = (personId: string): SeenMarks => {
    const marks = known.get(personId) ?? readMarks(fileOf(dataDir, personId));
    if (marks !== undefined) {
      known.set(personId, marks);
      return marks;
    }
    const first = { since: now().toISOString(), marks: {} };
    known.set(personId, first);
    // Not synced: if it is lost, the next use is the first one.
    problems.during(SAVE, () => writeFirst(fileOf(dataDir, personId), JSON.stringify(first)), personId);
    return first;
  };
  const change = (personId: string, sessionId: SessionId, to: (seq: number | undefined) => number): Promise<void> =>
    inTurn(last, personId, async () => {
      const { since, marks } = of(personId);
      const seq = to(marks[sessionId]);
      if (seq === marks[sessionId]) return;
      const next = { since, marks: bounded({ ...without(marks, sessionId), [sessionId]: seq }) };
      await writeFileAtomically(fileOf(dataDir, personId), JSON.stringify(next));
      known.set(personId, next);
      problems.during(TELL, () => forEach(listeners, (listener) => listener(personId, { since, marks: { [sessionId]: seq } })));
    });
  return {
    of,
    see: (personId, sessionId, seq) => change(personId, sessionId, (before = 0) => Math.max(before, seq)),
    unsee: (personId, sessionId) => change(personId, sessionId, () => 0),
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Hashed, so that a person's name can't become a path. */
const fileOf = (dataDir: string, personId: string): string =>
  join(dataDir, 'people', `${createHash('sha256').update(personId).digest('hex').slice(0, 32)}.seen.json`);

function writeFirst(file: string, text: string): void {
  // Only this folder, not its parents: while the data folder is moved away, no second one must appear.
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 });
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** A file that can't be read costs only marks, so it is replaced with the next change. */
function readMarks(file: string): SeenMarks | undefined {
  try {
    return SeenMarks.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Changes of one person are applied in order. */
function inTurn(last: Map<string, Promise<void>>, personId: string, work: () => Promise<void>): Promise<void> {
  const turn = (last.get(personId) ?? Promise.resolve()).then(work);
  last.set(
    personId,
    turn.catch(() => undefined),
  );
  return turn;
}

type Marks = SeenMarks['marks'];

/** Changed marks go to the end: the first ones are the oldest. */
function without(marks: Marks, sessionId: SessionId): Marks {
  const { [sessionId]: _, ...rest } = marks;
  return rest;
}

function bounded(marks: Marks): Marks {
  const all = Object.entries(marks);
  return all.length <= MARKS_MAX ? marks : Object.fromEntries(all.slice(-MARKS_MAX));
}
