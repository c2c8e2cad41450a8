import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { keyOf } from '../../src/domain/blame/line-key.ts';
import { isTelling } from '../../src/domain/blame/returned.ts';
import { type FileHistory, linesOf, type Step, walk } from '../../src/domain/blame/walk.ts';
import { readPatch } from '../../src/domain/changes/patch.ts';
import { proofCount } from '../support/proof-length.ts';
import { seeded } from '../support/seeded.ts';

/** Files of this repository with a long past. Nothing in the walk was chosen for them. */
const FILES = [
  'src/domain/session/evolve.ts',
  'src/protocol/event.ts',
  'src/engine/open-engine.ts',
  'docs/protocol.md',
  'src/server/server.ts',
  'web/pages/session/session-page.tsx',
  'src/domain/session/commands.ts',
  'src/config.ts',
  'package.json',
  'src/serve.ts',
];

const git = (...args: readonly string[]): string => {
  try {
    return execFileSync('git', [...args], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
};

interface Version {
  readonly commit: string;
  readonly text: string;
  readonly patch: string;
}

function versionsOf(file: string): readonly Version[] {
  const commits = git('log', '--first-parent', '-m', '--reverse', '--format=%H', '--', file).split('\n').filter(Boolean);
  const versions: Version[] = [];
  for (const commit of commits) {
    const text = git('show', `${commit}:${file}`);
    const before = versions.at(-1);
    const patch = before === undefined ? '' : git('diff', '--no-color', '-U3', before.commit, commit, '--', file);
    if (text !== '') versions.push({ commit, text, patch });
  }
  return versions;
}

/** What git says about each line of the last version: the commit that wrote it. */
function truth(file: string, versions: readonly Version[]): readonly string[] {
  const [first, last] = [versions[0], versions.at(-1)];
  if (first === undefined || last === undefined) return [];
  const out = git('blame', '--first-parent', '--line-porcelain', `${first.commit}..${last.commit}`, '--', file);
  return out.split('\n').flatMap((line) => /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? []);
}

/** Every commit becomes the work of one of two sessions (by tool, or by shell between checkpoints), or of a person. */
function historyOf(versions: readonly Version[], seed: number): { readonly history: FileHistory; readonly owners: ReadonlyMap<string, string> } {
  const random = seeded(seed);
  const owners = new Map<string, string>();
  const steps: Step[] = [];
  const turns: { session: string; from: number; to: number; origin: number }[] = [];
  let last = '';
  for (const [index, { commit, text, patch }] of versions.entries()) {
    const at = index * 10;
    const kind = index === 0 ? 0.99 : random();
    if (kind < 0.8) {
      const isTool = kind < 0.5;
      owners.set(commit, `${isTool ? 'edit' : 'turn'} ${index}`);
      steps.push({ kind: 'known', at: at + 1, text: last });
      if (isTool) steps.push({ kind: 'edit', at: at + 2, origin: index, hunks: readPatch(patch) ?? [] });
      steps.push({ kind: 'known', at: at + 3, text });
      turns.push({ session: index % 2 === 0 ? 'a' : 'b', from: at + 1, to: at + 3, origin: index });
    } else owners.set(commit, 'nobody');
    last = text;
  }
  return { history: { steps, turns }, owners };
}

/** Where equal lines stand in a row, every diff has to guess which of them is new; brackets and empty lines are left out. */
const isGuess = (line: string): boolean => !isTelling(keyOf(line));

test('[R481] in the past of this repository, dealt out to two sessions and a person, lines go where git says they come from', ({ skip }) => {
  const counts = { edit: [0, 0], turn: [0, 0], nobody: [0, 0] };
  const wrong: string[] = [];
  for (const file of FILES.slice(0, proofCount(1))) {
    const versions = versionsOf(file);
    if (versions.length < 5) continue;
    const [told, lines] = [truth(file, versions), linesOf(versions.at(-1)?.text ?? '')];
    for (let seed = 1; seed <= proofCount(1); seed += 1) {
      const { history, owners } = historyOf(versions, seed);
      for (const [index, origin] of walk(lines, history, [], versions.length * 10).entries()) {
        const line = lines[index] ?? '';
        const owner = owners.get(told[index] ?? '') ?? 'nobody';
        if (isGuess(line)) continue;
        const count = counts[owner.startsWith('edit') ? 'edit' : owner.startsWith('turn') ? 'turn' : 'nobody'];
        const found = 'origin' in origin ? `${origin.by} ${origin.origin}` : 'nobody';
        count[1] = (count[1] ?? 0) + 1;
        if (found === owner) count[0] = (count[0] ?? 0) + 1;
        else wrong.push(`${file}:${index + 1} seed ${seed}: ${owner}, told ${found}: ${line}`);
      }
    }
  }
  if (Object.values(counts).every(([, count]) => count === 0)) return skip('this is no clone with a past');
  // Seen with `npm run prove -- blame`.
  if (proofCount(1) > 1) console.info(JSON.stringify(counts), `\n${wrong.join('\n')}`);
  for (const [right = 0, count = 0] of Object.values(counts)) expect([wrong, right >= count * 0.99]).toEqual([wrong, true]);
});
