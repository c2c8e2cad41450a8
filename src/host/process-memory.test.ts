import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { collect, createHostSetup, pidsIn } from '../../test/support/engine/test-host.ts';
import { byPs } from './process-memory.ts';

const MB = 1024 * 1024;
// 40 MB in the agent and 40 MB in a child that has its own session, like the commands of an agent.
const HOLDER = `
  const { spawn } = require('node:child_process');
  const held = Buffer.alloc(40 * ${MB}, 1);
  const child = spawn(process.execPath, ['-e', 'const held = Buffer.alloc(40 * ${MB}, 1); console.log("child"); setInterval(() => held[0], 1000)'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  process.stdin.resume(); process.stdin.on('end', () => process.exit(held[0] - 1));`;

test('the memory of a run is that of its agent and of everything the agent started', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const [ref, other] = [hosting.run(), hosting.run()];
  await hosting.start(host, ref, process.execPath, ['-e', HOLDER]);
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.line('child');
  const used = await host.memory([ref, other]);
  expect([...used.keys()]).toEqual([ref.run]);
  expect(used.get(ref.run)).toBeGreaterThan(80 * MB);
  await host.end(ref, { how: 'idle' });
  expect(await host.memory([ref])).toEqual(new Map());
});

test('without runs no process is scanned', async () => expect(await createHostSetup().open().memory([])).toEqual(new Map()));

test('without /proc, ps gives the same answer', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, '/bin/sh', [fileURLToPath(new URL('../../test/fixtures/ignores-everything.sh', import.meta.url))]);
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.line('ready');
  const { agent, shell } = pidsIn(hosting, ref);
  const measured = byPs([agent, shell, 4_000_000]);
  expect([...measured.keys()].sort()).toEqual([agent, shell].sort());
  expect(measured.get(agent)).toBeGreaterThan(MB / 2);
  expect(byPs([])).toEqual(new Map());
});
