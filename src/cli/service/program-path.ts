import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { CliProblem } from '../shared/command.ts';

/** npx and its relatives delete what they downloaded. */
const PASSING = /\/(_npx|_cacache|dlx-[^/]*|bunx-[^/]*)\//;

interface Running {
  /** The script that runs now: `bin/signalbox.mjs` of this package. */
  readonly script: string;
  /** The Node that runs it. */
  readonly node: string;
  readonly path: string;
}

/**
 * The command that starts this package also after an upgrade: the name on the PATH that leads to it (a package manager points it to the next version),
 * or the script itself, such as in a clone. Node is found through the PATH too, because version managers put each version into a folder of its own.
 */
export function stableCommand({ script, node, path }: Running): { readonly argv: readonly string[]; readonly path: string } {
  const folders = [dirname(node), ...path.split(delimiter)].filter((folder, at, all) => isAbsolute(folder) && all.indexOf(folder) === at);
  const own = realpathSync(script);
  const named = folders
    .map((folder) => join(folder, 'signalbox'))
    .filter((name) => !PASSING.test(name))
    .find((name) => existsSync(name) && realpathSync(name) === own);
  if (named === undefined && PASSING.test(own))
    throw new CliProblem(
      'npx keeps packages in a cache that it may delete. Install Signalbox first: npm install -g signalbox. Then run: signalbox service install',
    );
  // npm and npx put folders of their own first.
  const kept = folders.filter((folder) => !PASSING.test(`${folder}/`) && !folder.includes('/node_modules/'));
  return { argv: named === undefined ? ['/usr/bin/env', 'node', own] : [named], path: kept.join(delimiter) };
}
