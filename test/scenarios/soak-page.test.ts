import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { soak } from '../soak/play.ts';
import { installedAgents } from '../soak/setup.ts';
import { findChromium } from '../support/browser/chromium.ts';

// The long form is `npm run soak -- --minutes 30 --seed S`.
const chromium = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const missing = 'skip' in chromium ? chromium.skip : isBuilt ? undefined : 'dist/ is not built (npm run build)';
const SEED = 11;
const ROUNDS = 6;
const LIMIT_MS = 300_000;

test('[R265] a page whose connection is cut over and over shows exactly the journal and leaks no memory', { timeout: LIMIT_MS }, async ({ skip }) => {
  if (missing || 'skip' in chromium) return skip(missing);
  const agents = installedAgents();
  const { rounds, messages, problems } = await soak({ chromium: chromium.path, seed: SEED, agents, warmUp: 2, isOver: (played) => played >= ROUNDS });

  expect(problems, `seed ${SEED}, ${agents.join(', ')}`).toEqual([]);
  expect(rounds).toBe(ROUNDS);
  expect(messages).toBeGreaterThan(ROUNDS);
});
