import type { KnipConfig } from 'knip';

/** Knip does not read style sheets: what they import counts as used as well. */
const importsOf = (css: string): string => [...css.matchAll(/@import\s+['"]([^'"]+)['"]/g)].map(([, path]) => `import '${path}';`).join('\n');

const config: KnipConfig = {
  // With `!`: part of what is shipped.
  entry: [
    'src/main.ts!',
    'src/index/list/worker.ts!',
    'src/index/threads/records-thread.ts!',
    'src/index/threads/writer-thread.ts!',
    'src/index/threads/reader-thread.ts!',
    'src/agents/demo/program.ts!',
    'src/agents/claude-code/bridge/program.ts!',
    'src/agents/pi/extension.ts!',
    'src/agents/openclaw/keeper/program.ts!',
    'src/agents/openclaw/single-task/program.ts!',
    'web/worker/worker.ts!',
    // web/build/part-files.ts names it in code that it makes.
    'web/base/browser/load-part.ts!',
    'web/public/offline.{js,css}!',
    'scripts/*.mjs',
    'scripts/codemod/*.mjs',
    'scripts/lib/vitest-summary.mjs',
    'bench/**/*.ts',
    'test/support/agents/install-agent-clis.ts',
    'test/support/scripted-model/main.ts',
    'test/support/test-server-main.ts',
    'test/support/engine/engine-program.ts',
    'test/support/**/*.fixture.ts',
    'test/chaos/main.ts',
    'test/soak/main.ts',
  ],
  project: ['src/**/*.ts!', 'web/**/*.{ts,tsx,css}!', 'bin/*.mjs!', 'scripts/**/*.mjs', 'test/**/*.ts', 'bench/**/*.ts'],
  vite: { config: ['web/vite.config.ts'] },
  // Called by its path in node_modules/.bin, which knip cannot follow.
  ignoreDependencies: ['@biomejs/biome'],
  // Programs of the system that tests call; what a missing one means is said by the test that needs it.
  ignoreBinaries: ['mount', 'umount', 'mkfifo', 'sha256sum', 'cc', 'prlimit'],
  ignoreExportsUsedInFile: true,
  compilers: { css: importsOf },
};

export default config;
