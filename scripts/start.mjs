import '../bin/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { ROOT, say } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { isBuilt } from './lib/sources.mjs';

// npm start [-- ARGUMENTS OF serve]: installs and builds what is missing, then becomes the server.
const BUILD_LIMIT_MS = 5 * 60_000;

await ensureInstalled();
if (!isBuilt()) await build();

// In this same process: the pid is the server's own, signals reach it directly, and no parent is left that could end its agents.
process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM').removeAllListeners('SIGHUP');
// For a person trying it, even when the output goes through a pipe.
process.env.SIGNALBOX_LOG_TOKEN ??= '1';
process.argv = [process.argv[0], `${ROOT}bin/signalbox.mjs`, 'serve', ...process.argv.slice(2)];
await import('../bin/signalbox.mjs');

async function build() {
  say('Building Signalbox …');
  const { code, output } = await run(process.execPath, ['scripts/build.mjs'], { limitMs: BUILD_LIMIT_MS, quiet: true });
  if (code === 0) return;
  say(output.trim());
  say('Signalbox could not be built; the messages above say why.');
  process.exit(1);
}
