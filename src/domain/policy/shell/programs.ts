import { list } from './wrappers.ts';

/** What a program can be made to do by its arguments. Anything listed here is matched only by a rule with exactly those words, never by a wildcard. */
export interface Program {
  /** The only subcommands (one or two words) that a wildcard can cover; any other could run or change anything. */
  readonly safe?: readonly string[];
  /** Long options, and one-letter ones that can be part of a cluster (`-uo`). An abbreviation of a long one counts too. */
  readonly options?: readonly string[];
  /** Dangerous arguments. */
  readonly words?: readonly string[];
  /** Arguments of this form are dangerous. */
  readonly form?: RegExp;
  /** The most arguments without a dash that it can have: with more it writes a file. */
  readonly most?: number;
  /** Without arguments it does more than print help. */
  readonly neverAlone?: true;
  /** Options after `--` are not its own. */
  readonly endsAtDashes?: true;
}

export const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  [
    'git',
    {
      options: list(
        '--output --ext-diff --textconv --filters --exec --upload-pack --receive-pack --open-files-in-pager --extcmd --tool --strategy --config --template --force --hard --mirror --recurse-submodules --discard-changes --pathspec-from-file',
      ),
      words: list('expire delete drop clear'),
      // An address that runs a program, one that is not a remote of this repository, and a refspec that overwrites.
      form: /^[a-z][\w.+-]*::|:\/\/|^[^/\s]+@[^/\s]+:|^\+/,
    },
  ],
  ['find', { words: list('-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls') }],
  ['fd', { options: list('x X --exec --exec-batch') }],
  ['rg', { options: list('z --pre --hostname-bin --search-zip') }],
  ['ug', { options: list('z --filter --pager --view --save-config --decompress') }],
  ['ack', { options: list('--pager --output --ackrc') }],
  ['ag', { options: list('--pager') }],
  ['sort', { options: list('o T --output --compress-program --temporary-directory') }],
  ['shuf', { options: list('o --output') }],
  ['split', { options: list('--filter') }],
  ['tree', { options: list('o R --output') }],
  ['uniq', { most: 1 }],
  ['xxd', { options: list('r'), words: list('-revert'), most: 1 }],
  ['file', { options: list('C z Z m --compile --magic-file --uncompress --uncompress-noreport') }],
  ['date', { options: list('--set'), form: /^-[^Id]*s/ }],
  ['hostname', { most: 0, options: list('F b --file --boot') }],
  ['yq', { options: list('i --inplace --in-place --from-file'), form: /\b(load|env|system)/ }],
  ['printf', { options: list('v'), form: /[$`[]/ }],
  ['test', { options: list('v R'), form: /[$`[]/ }],
  ['make', { options: list('f C E I --file --makefile --directory --eval --include-dir'), form: /[=$`]/ }],
  ['ninja', { options: list('f C t') }],
  [
    'pytest',
    {
      options: list(
        'p c o --rootdir --confcutdir --config-file --override-ini --pdbcls --basetemp --pastebin --debug --junitxml --junit-xml --log-file --cov-config',
      ),
      form: /^@/,
    },
  ],
  ['eslint', { options: list('c f o --config --rulesdir --parser --plugin --resolve-plugins-relative-to --format --output-file') }],
  ['prettier', { options: list('--plugin --config --plugin-search-dir') }],
  [
    'jest',
    {
      options: list(
        'c --config --globalSetup --globalTeardown --setupFiles --testRunner --runner --transform --reporters --resolver --rootDir --roots --preset --testEnvironment --filter --projects --modulePaths',
      ),
    },
  ],
  ['vitest', { options: list('c r --config --globalSetup --reporter --runner --outputFile --root --dir --environment --execArgv --pool --browser') }],
  [
    'npm',
    {
      endsAtDashes: true,
      // `npm run env -- x` runs x: npm has a built-in script of that name.
      words: list('env'),
      safe: list('run run-script test t tst start stop restart ls list ll la view info show v outdated ping root why explain'),
      options: list(
        'C c --prefix --script-shell --shell --node-options --userconfig --globalconfig --call --editor --viewer --browser --git --init-module --location',
      ),
    },
  ],
  [
    'pnpm',
    {
      endsAtDashes: true,
      words: list('env'),
      safe: list('run test t start ls list why outdated'),
      options: list('C c --dir --script-shell --shell-mode --shell-emulator --node-options --config --prefix'),
    },
  ],
  [
    'yarn',
    {
      endsAtDashes: true,
      neverAlone: true,
      words: list('env'),
      // `yarn run x` runs any program of the project's packages, not only its scripts.
      safe: list('test start list why outdated info'),
      options: list('--cwd --require --script-shell --use-yarnrc --modules-folder'),
    },
  ],
  [
    'cargo',
    {
      endsAtDashes: true,
      safe: list('build b check c test t clippy fmt doc tree metadata version'),
      options: list('C Z --config --manifest-path --target-dir --fix --open'),
    },
  ],
  [
    'go',
    {
      safe: list('build test vet list doc version fmt'),
      words: list('-exec -toolexec -vettool -overlay -modfile -o -C -ldflags -gcflags -asmflags -gccgoflags'),
      form: /^--?(exec|toolexec|vettool|overlay|modfile|o|C|ldflags|gcflags|asmflags|gccgoflags|outputdir|trace|\w+profile)(=|$)/,
    },
  ],
  ['pip', { safe: list('list show freeze check'), options: list('--python --config-settings --log') }],
  ['docker', { safe: list('ps images logs inspect version info stats top port diff history events'), options: list('c H --config --context --host') }],
  [
    'podman',
    {
      safe: list('ps images logs inspect version info stats top port diff history events'),
      options: list('c --connection --url --hooks-dir --runtime --conmon'),
    },
  ],
  [
    'gh',
    {
      safe: [
        'pr view',
        'pr list',
        'pr diff',
        'pr checks',
        'pr status',
        'issue view',
        'issue list',
        'issue status',
        'run view',
        'run list',
        'repo view',
        'release view',
        'release list',
      ],
      options: list('w --web'),
    },
  ],
  [
    'ip',
    {
      safe: list('addr a address link l route r'),
      options: list('b --batch'),
      words: list('-batch -b -n -netns netns add del delete set change replace flush'),
    },
  ],
]);

/** What a wildcard can cover in git: anything else can be an alias, a helper on the PATH, or run programs by design. */
export const HARMLESS_GIT: ReadonlySet<string> = new Set([
  ...list('status diff log show branch tag add commit pull fetch checkout switch stash merge rebase cherry-pick revert reset blame annotate grep reflog'),
  ...list(
    'ls-files ls-tree rev-parse rev-list describe shortlog show-ref show-branch for-each-ref cat-file name-rev merge-base diff-tree diff-index diff-files',
  ),
  ...list('whatchanged count-objects version range-diff cherry check-ignore check-attr'),
]);

/** Arguments with which `git checkout` restores files and discards work, instead of switching branches. */
export const DISCARDS_WORK: ReadonlySet<string> = new Set(['.', './', ':/', '--']);

/** One-letter options of git's subcommands that run something or discard work. */
export const GIT_LETTERS: ReadonlyMap<string, string> = new Map([
  ['grep', 'O'],
  ['rebase', 'xs'],
  ['merge', 's'],
  ['pull', 'sf'],
  ['fetch', 'uf'],
  ['checkout', 'fB'],
  ['switch', 'fC'],
  ['branch', 'DfMC'],
  ['tag', 'df'],
]);
