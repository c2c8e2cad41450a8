import { run } from './run.mjs';
import { isBuilt } from './sources.mjs';

const BUILD_LIMIT_MS = 5 * 60_000;

/** Scenarios and benchmarks run what is published, so dist/ must be built from the current sources. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  const { code } = await run(process.execPath, ['scripts/build.mjs'], { limitMs: BUILD_LIMIT_MS });
  if (code !== 0) throw new Error(`the build ended with ${code}`);
}

/** The name vitest expects. */
export const setup = ensureBuilt;
