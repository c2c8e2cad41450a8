import { expect, test } from 'vitest';
import { proofCount } from '../../../test/support/proof-length.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { compareLines } from '../changes/line-diff.ts';
import { type Hunk, readPatch } from '../changes/patch.ts';
import { type EditStep, type FileHistory, type KnownStep, linesOf, type Step, walk } from './walk.ts';

const NOW = 1_000_000;
const hunksOf = (patch: string): readonly Hunk[] => readPatch(patch) ?? [];

/** A patch from one text to the other, with three lines of context in one hunk. */
function edit(at: number, origin: number, old: readonly string[], fresh: readonly string[]): EditStep {
  const lines = compareLines(old, fresh).map(({ kind, text }) => ({ sign: kind === 'same' ? ' ' : kind === 'add' ? '+' : '-', text }) as const);
  const first = lines.findIndex(({ sign }) => sign !== ' ');
  const last = lines.findLastIndex(({ sign }) => sign !== ' ');
  const from = Math.max(0, first - 3);
  return { kind: 'edit', at, origin, hunks: first < 0 ? [] : [{ old: from, fresh: from, lines: lines.slice(from, last + 4) }] };
}

const known = (at: number, lines: readonly string[]): KnownStep => ({ kind: 'known', at, text: lines.map((line) => `${line}\n`).join('') });
const short = (today: readonly string[], own: FileHistory, elsewhere: readonly FileHistory[] = []): readonly string[] =>
  walk(today, own, elsewhere, NOW).map((one) => ('origin' in one ? `${one.by} ${one.origin}` : one.by));

const BASE = ['first', 'second', 'third'];

test('[R481] a line belongs to the call that wrote it, also after further edits moved it', () => {
  const one = ['first', 'written by one', 'second', 'third'];
  const two = ['written by two', ...one];
  expect(short(two, { steps: [edit(1, 1, BASE, one), edit(2, 2, one, two)], turns: [] })).toEqual(['edit 2', 'base', 'edit 1', 'base', 'base']);
});

test('[R481] a line typed by hand is unknown, between edits and between turns, and the lines around it keep theirs', () => {
  const one = ['first', 'written by one', 'second', 'third'];
  const today = ['first', 'written by one', 'typed by hand', 'second', 'third'];
  expect(short(today, { steps: [edit(1, 1, BASE, one)], turns: [] })).toEqual(['base', 'edit 1', 'base', 'base', 'base']);
  const steps = [known(0, BASE), edit(1, 1, BASE, one), known(2, one), known(8, today), known(9, today)];
  const turns = [
    { session: 'a', from: 0, to: 2, origin: 1 },
    { session: 'a', from: 8, to: 9, origin: 2 },
  ];
  expect(short(today, { steps, turns })).toEqual(['base', 'edit 1', 'unknown', 'base', 'base']);
});

test('[R481] what a shell wrote belongs to the turn between its checkpoints; while two sessions work at once it is nobody’s', () => {
  const today = ['first', 'second', 'third', 'from sed'];
  const steps = [known(1, BASE), known(5, today)];
  const turn = { session: 'a', from: 1, to: 5, origin: 7 };
  expect(short(today, { steps, turns: [turn] }).at(-1)).toBe('turn 7');
  expect(short(today, { steps, turns: [turn, { session: 'b', from: 2, to: 9, origin: 8 }] }).at(-1)).toBe('unknown');
  expect(short(today, { steps, turns: [turn, { session: 'b', from: 5, to: 9, origin: 8 }] }).at(-1)).toBe('turn 7');
});

test('[R481] lines that went away and came back are recognized; a copy made by hand is not', () => {
  const one = ['first', 'alpha()', '}', 'beta()', 'second', 'third'];
  const steps: readonly Step[] = [known(0, BASE), edit(1, 1, BASE, one), known(2, one), known(3, BASE), known(4, one)];
  expect(short(one, { steps, turns: [] })).toEqual(['base', 'edit 1', 'edit 1', 'edit 1', 'base', 'base']);
  // The same lines in another worktree, merged here.
  expect(short(one, { steps: [], turns: [] }, [{ steps: [edit(1, 1, BASE, one)], turns: [] }])).toEqual(['base', 'edit 1', 'edit 1', 'edit 1', 'base', 'base']);
  const shell = { steps: [known(0, BASE), known(2, one)], turns: [{ session: 'a', from: 0, to: 2, origin: 3 }] };
  expect(short(one, { steps: [], turns: [] }, [shell])).toEqual(['base', 'turn 3', 'turn 3', 'turn 3', 'base', 'base']);
  const copied = [...one, 'alpha()', '}', 'beta()'];
  expect(short(copied, { steps: [edit(1, 1, BASE, one)], turns: [] }).slice(-3)).toEqual(['base', 'base', 'base']);
});

test('an edit whose context was edited by hand later is still found by what is left of it', () => {
  const one = ['first', 'alpha = 1', 'beta = 2', 'second', 'third'];
  const today = ['FIRST', 'alpha = 1', 'beta = 3', 'SECOND', 'third'];
  expect(short(today, { steps: [edit(1, 1, BASE, one)], turns: [] })).toEqual(['base', 'edit 1', 'base', 'base', 'base']);
});

test('tabs at the start and line ends do not hide who wrote a line', () => {
  const patch = '@@ -0,0 +1,2 @@\n+  tabbed\n+plain\n';
  expect(short(['\ttabbed\r', 'plain\r'], { steps: [{ kind: 'edit', at: 1, origin: 1, hunks: hunksOf(patch) }], turns: [] })).toEqual(['edit 1', 'edit 1']);
});

/** Random work of two sessions in turn, by tool, by shell and by hand, with unlike lines: every line has one right answer. */
test('[R481] in random histories every line written by a tool goes to its call, by a shell to its turn, and by hand to nobody', () => {
  for (let seed = 1; seed <= proofCount(300); seed += 1) {
    const random = seeded(seed);
    const pick = (most: number): number => Math.floor(random() * most);
    let lines: readonly string[] = ['base a', 'base b', 'base c', '}', 'base d', '}'];
    const right = new Map<string, string>(lines.map((line) => [line, 'base']));
    const steps: Step[] = [];
    const turns: FileHistory['turns'][number][] = [];
    let [time, next] = [0, 0];
    const change = (owner: string): void => {
      next += 1;
      const text = `line ${next} of ${owner}`;
      const at = pick(lines.length);
      right.set(text, owner);
      lines = random() < 0.3 ? lines.filter((_, index) => index !== at) : lines.toSpliced(at, random() < 0.5 ? 1 : 0, text);
      if (lines.length === 0) lines = [...lines, text];
    };
    for (let turn = 0; turn < 8; turn += 1) {
      // Before the first checkpoint, nothing is known.
      if (turn > 0 && random() < 0.5) change('unknown');
      time += 1;
      const from = time;
      steps.push(known(from, lines));
      for (let count = pick(4); count > 0; count -= 1) {
        const old = lines;
        if (random() < 0.3) change(`turn ${turn}`);
        else {
          change(`edit ${steps.length}`);
          time += 1;
          steps.push(edit(time, steps.length, old, lines));
        }
      }
      time += 1;
      steps.push(known(time, lines));
      turns.push({ session: turn % 2 === 0 ? 'a' : 'b', from, to: time, origin: turn });
    }
    const told = short(lines, { steps, turns });
    const wrong = lines.flatMap((line, index) => (line === '}' || told[index] === right.get(line) ? [] : [`${line}: ${told[index]}`]));
    expect([seed, wrong]).toEqual([seed, []]);
  }
});

test('the last line end starts no further line', () => expect(linesOf('a\nb\n')).toEqual(['a', 'b']));
