import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ToyLine } from '../../test/support/archive/toy-archive.ts';
import { ToySetup, textOfEvent } from '../../test/support/archive/toy-setup.ts';
import { proofCount } from '../../test/support/proof-length.ts';
import { seeded } from '../../test/support/seeded.ts';
import type { Event } from '../protocol/event.ts';

const SEEDS = Array.from({ length: proofCount(8) }, (_, index) => index + 1);

for (const seed of SEEDS) {
  test(`records that are cut, mixed, duplicated, reordered, damaged and grown byte by byte are read exactly once (seed ${seed})`, () => {
    const fuzz = new Fuzz(seed);
    for (let round = 0; round < 14; round += 1) {
      fuzz.change();
      fuzz.index();
      fuzz.checkNumbers();
    }
    fuzz.finish();
    fuzz.checkAll();
  });
}

/** One session whose record is damaged in many ways, and what must hold after each change. */
class Fuzz {
  private readonly setup = new ToySetup();
  private readonly random: () => number;
  private text = '';
  private count = 0;
  private tips: string[] = [];
  /** The text under each number, which must never change. */
  private readonly numbered = new Map<number, string>();
  private seen: Event[] = [];

  constructor(seed: number) {
    this.random = seeded(seed);
    this.save(this.fresh(5));
  }

  change(): void {
    const changes = [this.grow, this.grow, this.cut, this.double, this.reorder, this.damage, this.growInBytes, this.interleave];
    changes[this.below(changes.length)]?.call(this);
  }

  /** Reads in steps, sometimes crashing between two of them; sometimes only a part is done before the next change. */
  index(): void {
    this.setup.indexer.sweep();
    for (let steps = this.below(6) === 0 ? this.below(4) : Number.MAX_SAFE_INTEGER; steps > 0 && this.setup.indexer.step(); steps -= 1) {
      if (this.below(4) === 0) this.reopen();
    }
    if (this.below(3) === 0) this.reopen();
  }

  /** Several times: a line without its newline is read if nothing was written between two sweeps. */
  finish(): void {
    for (let round = 0; round < 3; round += 1) this.setup.read();
  }

  /** A number never changes its meaning, and every number is reported once. */
  checkNumbers(): void {
    this.seen.push(...this.setup.reported.batches.splice(0).flatMap(({ events }) => events));
    for (const event of this.seen.splice(0)) {
      expect(this.numbered.has(event.seq), `number ${event.seq} was assigned once`).toBe(false);
      this.numbered.set(event.seq, textOfEvent(event));
    }
    for (const event of shownIn(this.setup)) {
      if (textOfEvent(event).startsWith('The agent removed')) continue;
      expect(textOfEvent(event), `number ${event.seq}`).toBe(this.numbered.get(event.seq));
    }
  }

  /** Every complete line of the record is shown once, and reading everything at once finds the same. */
  checkAll(): void {
    this.checkNumbers();
    const whole = wordsIn(this.text).sort();
    expect(wordsOn(this.setup).sort()).toEqual(whole);
    const fresh = new ToySetup();
    writeFileSync(fresh.path('s1.jsonl'), this.text);
    for (let round = 0; round < 3; round += 1) fresh.read();
    expect(wordsOn(fresh).sort()).toEqual(whole);
  }

  private reopen(): void {
    this.setup.reopen();
    this.setup.indexer.sweep();
  }

  private grow(): void {
    this.append(this.fresh(1 + this.below(8)));
  }

  private growInBytes(): void {
    const bytes = this.fresh(3);
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.slice(from, from + 1 + this.below(40));
      this.append(piece);
      from += piece.length;
      if (this.below(3) === 0) this.index();
    }
  }

  private cut(): void {
    this.save(this.text.slice(0, this.below(this.text.length)));
  }

  private double(): void {
    const lines = this.lines();
    const from = this.below(lines.length);
    this.save([...lines, ...lines.slice(from, from + 4)].join(''));
  }

  private reorder(): void {
    const lines = this.lines();
    const [a, b] = [this.below(lines.length), this.below(lines.length)];
    const [one, other] = [lines[a] ?? '', lines[b] ?? ''];
    lines[a] = other;
    lines[b] = one;
    this.save(lines.join(''));
  }

  private damage(): void {
    const at = this.below(this.text.length);
    this.save(`${this.text.slice(0, at)}\u0000${this.text.slice(at + 1 + this.below(9))}`);
  }

  /** Two writers, each with its own branches. */
  private interleave(): void {
    const [one, other] = [this.fresh(4).split(/(?<=\n)/), this.fresh(4).split(/(?<=\n)/)];
    this.append(one.flatMap((line, index) => [line, other[index] ?? '']).join(''));
  }

  private fresh(count: number): string {
    return Array.from({ length: count }, () => `${JSON.stringify(this.freshLine())}\n`).join('');
  }

  private freshLine(): ToyLine {
    this.count += 1;
    const id = `n${this.count}`;
    const parent = this.tips[this.tips.length - 1 - this.below(Math.min(this.tips.length, 3) || 1)] ?? null;
    this.tips.push(id);
    const timed = this.below(2) === 0 ? { at: new Date(this.count * 1000).toISOString() } : {};
    const words = `line ${this.count}`;
    return this.below(8) === 0 ? { say: words, ...timed } : { id, parent, ...timed, ...(this.below(3) === 0 ? { ask: words } : { say: words }) };
  }

  private lines(): string[] {
    return this.text.split(/(?<=\n)/);
  }

  /** In place, or as another file with the same name. */
  private save(text: string): void {
    this.text = text;
    const path = this.setup.path('s1.jsonl');
    if (this.below(2) === 0) return writeFileSync(path, text);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }

  private append(text: string): void {
    this.text += text;
    appendFileSync(this.setup.path('s1.jsonl'), text);
    expect(readFileSync(this.setup.path('s1.jsonl'), 'utf8')).toBe(this.text);
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }
}

/** All events of all branches. */
function shownIn({ reader }: ToySetup): readonly Event[] {
  const [session] = [...reader.sessions()];
  return session === undefined ? [] : reader.batch(session.id, 0, 1_000_000).events;
}

/** What is shown for complete, existing lines. */
const wordsOn = (setup: ToySetup): string[] =>
  shownIn(setup)
    .map(textOfEvent)
    .filter((words) => !words.startsWith('The agent removed') && !words.startsWith('? '));

/** The text of every complete line: once per id, or per text with a time; a text with neither can occur twice. */
function wordsIn(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => parsed(line) ?? []);
  const known = new Set<string>();
  return lines.flatMap((line) => {
    const identity = line.id ?? (line.at === undefined ? undefined : JSON.stringify(line));
    if (identity !== undefined && known.has(identity)) return [];
    if (identity !== undefined) known.add(identity);
    return [line.ask === undefined ? (line.say ?? '') : `> ${line.ask}`];
  });
}

function parsed(line: string): ToyLine | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
