import '../bin/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { tool } from './lib/root.mjs';
import { run } from './lib/run.mjs';

// npm run prove [-- NAME [arguments]]: the full form of a proof whose short form is part of `npm test`; without a name it lists them. docs/proofs.md has the latest results.
const LONGEST_MS = 24 * 60 * 60_000;

const script = (path, ...args) => ({ command: [process.execPath, path, ...args] });
/** Tests with this many times the seeds or runs; see test/support/proof-length.ts. */
const times = (factor, ...files) => ({
  command: [tool('vitest'), 'run', '--testTimeout', String(LONGEST_MS), '--hookTimeout', String(LONGEST_MS), ...files],
  env: { SIGNALBOX_PROOF_TIMES: String(factor) },
});

const PROOFS = {
  chaos: { what: 'killing servers, agents, shells and feeders loses and duplicates nothing (10 minutes)', ...script('scripts/chaos.mjs', '--minutes', '10') },
  worktrees: {
    what: 'killing server and git while a worktree is made, merged, removed and restored loses nothing (200 seeds)',
    ...times(200, 'src/engine/worktrees/kill.test.ts', 'src/engine/scripts/scripts.test.ts'),
  },
  soak: { what: 'a page whose connection is cut over and over shows the journal and leaks no memory (30 minutes)', ...script('scripts/soak.mjs') },
  mutate: { what: 'each seeded mutation of a rule makes a test fail', ...script('scripts/mutate.mjs') },
  bench: { what: 'latency, throughput and memory next to a bare relay', ...script('scripts/bench.mjs') },
  'bench-archive': { what: 'past sessions: a gigabyte of records', ...script('scripts/bench.mjs', 'archive') },
  'bench-agents': { what: 'each agent behind the server next to its own program', ...script('scripts/bench.mjs', 'agents') },
  'bench-panel': { what: 'the panel with fifty lines in Chromium', ...script('scripts/bench.mjs', 'panel') },
  'bench-web': { what: 'the page in Chromium next to one that only appends text', ...script('scripts/bench.mjs', 'web') },
  'selection-races': { what: 'keys answer only the selected request (1,000 seeds)', ...times(10, 'web/app/key-races.test.tsx') },
  fuzz: { what: 'changed lines of every recording crash nothing, hang nothing and lose no text (a million)', ...times(286, 'test/unit/adapter-fuzz.test.ts') },
  reviews: {
    what: 'a review to two sessions survives 200 kills; comments keep their place through 100,000 series of edits',
    ...times(100, 'test/scenarios/reviews.test.ts', 'src/domain/annotation/place.test.ts', 'src/domain/annotation/compose.test.ts'),
  },
  blame: {
    what: 'every line of a random history goes to the right call, turn or nobody (3,000 made up, and this repository’s own); a session at any event',
    ...times(10, 'src/domain/blame/walk.test.ts', 'test/unit/blame-history.test.ts', 'test/scenarios/blame.test.ts', 'test/scenarios/time-machine.test.ts'),
  },
  'archive-fuzz': { what: 'damaged, cut and reordered records are read once each (400 seeds)', ...times(50, 'src/archive/fuzz.test.ts') },
  checkpoints: {
    what: 'checkpoints and reverts: 200 kills, 1,000 checkpoints, 100,000 files, 50 GB, 1,000 turns, 200 lost races',
    ...times(
      100,
      '--no-file-parallelism',
      'src/engine/checkpoints/kill.test.ts',
      'src/engine/checkpoints/sizes.test.ts',
      'src/engine/checkpoints/checkpoints.test.ts',
      'src/git/checkpoints.test.ts',
    ),
  },
  finish: {
    what: 'killing the server and git during stage, commit and push leaves one commit and one push (200 seeds)',
    ...times(100, 'test/scenarios/finish-kill.test.ts'),
  },
  'line-and-pause': {
    what: 'the line and a paused queue survive kill -9, in order (20 seeds)',
    ...times(20, 'test/scenarios/line-and-pause.test.ts'),
  },
  tools: {
    what: 'an agent’s question is answered once across killed servers (200 seeds), in every agent with tools on the bus',
    ...times(100, 'test/scenarios/tools-kills.test.ts', 'test/scenarios/tools-live.test.ts', 'test/scenarios/tools.test.ts'),
  },
  outside: {
    what: 'messages got by polling arrive once, in order (1,000), and events reach failing webhooks across killed servers (40 kills)',
    ...times(20, 'src/server/terminals/terminal-server.test.ts', 'test/scenarios/outside.test.ts'),
  },
  properties: {
    what: 'the properties of sessions, journal, search, usage and rules (20 times the runs)',
    ...times(
      20,
      'src/domain/session/session.property.test.ts',
      'src/domain/queue/line.property.test.ts',
      'src/domain/policy/propose.test.ts',
      'src/domain/policy/shell/parse.property.test.ts',
      'src/engine/continue/merge-record.test.ts',
      'src/journal/rebuild/merge.test.ts',
      'src/journal/sqlite/property.test.ts',
      'src/index/search/search.property.test.ts',
      'src/index/usage/usage-part.test.ts',
    ),
  },
  terminal: {
    what: 'attach prints each event once through 100 dropped sockets; many send --wait at once, with a killed server, get one answer each',
    ...times(10, 'test/scenarios/attach-drops.test.ts', 'test/scenarios/send-wait.test.ts'),
  },
};

const [name, ...more] = process.argv.slice(2);
if (name === undefined || !Object.hasOwn(PROOFS, name)) {
  if (name !== undefined) process.stderr.write(`There is no proof "${name}". These are the names:\n`);
  for (const [known, { what }] of Object.entries(PROOFS)) process.stdout.write(`${known.padEnd(17)}${what}\n`);
  process.exit(name === undefined ? 0 : 1);
}
const { command, env } = PROOFS[name];
await ensureInstalled();
const { code } = await run(command[0], [...command.slice(1), ...more], { limitMs: LONGEST_MS, env: { ...process.env, ...env } });
process.exitCode = code;
