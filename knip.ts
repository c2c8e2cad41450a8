import type { KnipConfig } from 'knip';

/** Knip does not read style sheets, so their imports are rewritten as JavaScript for it. */
const importsOf = (css: string): string => [...css.matchAll(/@import\s+['"]([^'"]+)['"]/g)].map(([, path]) => `import '${path}';`).join('\n');

const config: KnipConfig = {
  // `!` marks what is shipped.
  entry: [
    'src/main.ts!',
    'src/index/list/worker.ts!',
    'src/index/threads/records-thread.ts!',
    'src/index/threads/writer-thread.ts!',
    'src/index/threads/reader-thread.ts!',
    'src/server/mcp/mcp-library.ts!',
    'src/cli/hook/program.ts!',
    'src/client/index.ts!',
    'src/cli/completion/program.ts!',
    'src/agents/demo/program.ts!',
    'src/agents/script/program.ts!',
    'src/agents/claude-code/bridge/program.ts!',
    'src/agents/pi/extension.ts!',
    'src/agents/openclaw/keeper/program.ts!',
    'src/agents/openclaw/single-task/program.ts!',
    'web/worker/worker.ts!',
    // Imported by code that web/build/part-files.ts generates.
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
  // System programs that tests call. A test that needs one reports when it is missing.
  ignoreBinaries: ['mount', 'umount', 'mkfifo', 'sha256sum', 'cc', 'prlimit', 'script', 'systemd-analyze'],
  ignoreExportsUsedInFile: true,
  compilers: { css: importsOf },
};

export default config;
