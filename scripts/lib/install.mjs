import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { ROOT, say } from './root.mjs';
import { run } from './run.mjs';

const MODULES = `${ROOT}node_modules`;
const STAMP = `${MODULES}/.signalbox-lock`;
const LIMIT_MS = 10 * 60_000;

/** Installs the dependencies of the lockfile if they are missing or outdated. */
export async function ensureInstalled() {
  const why = reasonToInstall();
  if (why) await install(why);
  linkOurselves();
}

function reasonToInstall() {
  if (!existsSync(MODULES)) return 'for the first time';
  if (lstatSync(MODULES).isSymbolicLink()) return undefined; // a shared installation: its owner updates it
  if (existsSync(STAMP)) return readFileSync(STAMP, 'utf8') === lockHash() ? undefined : 'because package-lock.json has changed';
  const installed = `${MODULES}/.package-lock.json`;
  if (!existsSync(installed)) return 'because the last installation was not finished';
  return statSync(installed).mtimeMs < statSync(`${ROOT}package-lock.json`).mtimeMs ? 'because package-lock.json is newer' : undefined;
}

async function install(why) {
  say(`Installing dependencies ${why} (npm ci, a minute or two) …`);
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { limitMs: LIMIT_MS, quiet: true });
  if (code !== 0) {
    say(output.trim());
    say('The dependencies could not be installed. Check that the npm registry is reachable and try again.');
    process.exit(1);
  }
  writeFileSync(STAMP, lockHash());
}

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(`${ROOT}package-lock.json`))
    .digest('hex');

/** npm creates no link for the package itself, so `npx signalbox` would look in the registry. */
function linkOurselves() {
  const link = `${MODULES}/.bin/signalbox`;
  if (lstatSync(MODULES).isSymbolicLink() || existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync('../../bin/signalbox.mjs', link);
}
