import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { say } from './root.mjs';
import { run } from './run.mjs';

const LIMIT_MS = 5 * 60_000;
const TOOLS = JSON.parse(readFileSync(new URL('./tools.json', import.meta.url), 'utf8'));

/** Installs the programs that tests use if apt is allowed to; otherwise says what will be missing. */
export async function ensureTools() {
  const missing = TOOLS.filter((tool) => !isInstalled(tool));
  if (missing.length === 0) return;
  if (canInstall()) await aptInstall(missing.flatMap((tool) => tool.packages));
  for (const tool of TOOLS.filter((one) => !isInstalled(one))) say(`${tool.name} is missing, so ${tool.for} are skipped: ${howToInstall(tool)}`);
}

const isInstalled = (tool) => tool.commands.some(onPath);

function onPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const canInstall = () => process.platform === 'linux' && process.getuid?.() === 0 && onPath('apt-get');

const howToInstall = (tool) =>
  canInstall() ? 'apt-get could not install it' : `install the package ${tool.packages[0]} by hand (this needs root and apt-get)`;

async function aptInstall(packages) {
  say(`Installing ${packages.join(', ')} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { limitMs: LIMIT_MS, quiet: true, env });
  const { code, output } = await run('apt-get', ['install', '-qy', '--no-install-recommends', ...packages], { limitMs: LIMIT_MS, quiet: true, env });
  if (code !== 0) say(output.trim().split('\n').slice(-5).join('\n'));
}
