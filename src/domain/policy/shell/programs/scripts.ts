import { each, type Grammar, type Program } from './program.ts';
import { SCRIPT } from './runners.ts';

/** `npm run env -- x` runs x: there is a built-in script of that name. */
const SCRIPT_NAME = /^(?!env$)\w[\w@:./-]*$/;

/** A package in the registry; `user/name`, `file:` and addresses are other places to get one from. */
const PACKAGE = /^(@[\w.-]+\/)?[\w.-]+(@[\w.^~<>=*-]+)?$/;

const NPM_OPTIONS = '-s -w= --silent --if-present --workspaces --include-workspace-root --workspace= --color --no-color --loglevel=';

/** npm reads its own options anywhere before `--`, and passes the rest on. */
const npmScript = (args: Grammar['args']): Grammar => ({
  options: NPM_OPTIONS,
  ...(args && { args }),
  after: SCRIPT,
  why: 'other options can load code or send data elsewhere',
});

const NPM_LIST: Grammar = {
  options: `${NPM_OPTIONS} -al --all --long --json --parseable --depth= --omit= --include= --production --dev --link`,
  args: [PACKAGE],
};
const NPM_VIEW: Grammar = { options: '--json', args: [PACKAGE, /^[\w.-]+$/], why: 'other options can send data elsewhere' };

/** pnpm and yarn pass on everything after the script's name. */
const passes = (after: number, options = ''): Grammar => ({
  options,
  args: [SCRIPT_NAME],
  passesOnAfter: after,
  after: SCRIPT,
});

const PNPM_OPTIONS = '-rs -F= --recursive --silent --filter= --if-present --parallel --stream --no-color --color --no-bail --sort --no-sort';
const DEPENDENCIES: Grammar = { options: '-r --json --long --parseable --depth= --prod --dev --pattern=text', args: [PACKAGE] };

export const SCRIPTS: Readonly<Record<string, Program>> = {
  npm: {
    globals: '-s --silent',
    commands: {
      '': { options: '-v --version' },
      ...each('run run-script', npmScript([SCRIPT_NAME, 'name'])),
      ...each('test t tst start stop restart', npmScript(['name'])),
      ...each('ls list ll la why explain outdated', NPM_LIST),
      ...each('view info show v', NPM_VIEW),
      ping: {},
      root: {},
    },
  },
  pnpm: {
    globals: PNPM_OPTIONS,
    commands: {
      '': { options: '-v --version' },
      run: passes(1, PNPM_OPTIONS),
      ...each('test t start', passes(0)),
      ...each('ls list why outdated', DEPENDENCIES),
    },
  },
  // Not `yarn run x` and not `yarn x`: they also run any program of the project's packages.
  yarn: {
    commands: {
      ...each('test start', passes(0)),
      ...each('list why outdated', DEPENDENCIES),
      info: NPM_VIEW,
    },
  },
};
