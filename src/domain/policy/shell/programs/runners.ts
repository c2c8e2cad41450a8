import { each, type Grammar, type Program } from './program.ts';

/** Reporters that come with the runners; any other name is a module to load. */
const REPORTERS = 'default|verbose|dot|basic|json|tap|tap-flat|junit|hanging-process|github-actions|spec|min|nyan|list|progress|line|html|blob';

/** What can follow a script's name, whatever program the script runs: filters and a few options that mean the same everywhere or nothing. */
export const SCRIPT: Grammar = {
  options: `-u -t= --run --watch[=true|false] --no-watch --watchAll[=true|false] --coverage --no-coverage --verbose --silent --quiet --bail[=] --ci --color --no-color --check --fix
    --update --updateSnapshot --passWithNoTests --runInBand --testNamePattern= --grep= --reporter=${REPORTERS} --maxWorkers= --shard= --headed --list --list-different --noEmit
    --max-warnings= --production --dev --help --version`,
  args: ['name'],
  why: 'what follows a script can load other code',
};

const VITEST: Grammar = {
  options: `-uw -t=text --run --watch[=true|false] --no-watch --update --coverage --no-coverage --coverage.enabled[=true|false] --testNamePattern=text --reporter=${REPORTERS} --bail[=] --silent[=]
    --passWithNoTests --allowOnly --changed[=] --shard= --retry= --testTimeout= --hookTimeout= --teardownTimeout= --maxWorkers= --minWorkers= --project= --no-isolate --isolate[=true|false]
    --no-file-parallelism --fileParallelism[=true|false] --maxConcurrency= --pool=threads|forks|vmThreads|vmForks --hideSkippedTests --logHeapUsage --no-color --color --expandSnapshotDiff
    --sequence.shuffle[=] --sequence.seed= --printConsoleTrace --dangerouslyIgnoreUnhandledErrors --json --filesOnly --version`,
  args: [/^(?!(init|typecheck|dev|bench)$)[^@]/],
  why: 'other options can load code',
};

const CARGO_OPTIONS = `-rqv -p= -F= -j= --release --all --workspace --package= --exclude= --lib --bins --bin= --tests --test= --examples --example= --benches --bench= --all-targets --all-features
  --no-default-features --features= --quiet --verbose --locked --offline --frozen --jobs= --message-format= --color= --profile= --keep-going`;

const cargo = (options = '', more: Partial<Grammar> = {}): Grammar => ({
  options: `${CARGO_OPTIONS} ${options}`,
  args: ['name'],
  after: {},
  why: 'other options can run programs or write elsewhere',
  ...more,
});

const CARGO_TEST = cargo('--no-run --no-fail-fast --doc', {
  after: {
    options: '-q --nocapture --no-capture --test-threads= --exact --ignored --include-ignored --skip= --list --show-output --color= --quiet',
    args: ['name'],
  },
});
const CARGO_CHECK = cargo('--no-deps', { after: { options: '-D= -W= -A= -F=' } });
const CARGO_TREE = cargo('-i= -e= -d --depth= --invert= --edges= --duplicates --no-dedupe --prefix= --charset= --format=text');

/** Packages of this folder. Another name is a module, which may come from elsewhere. */
const GO_PACKAGE = /^\.$|^\.\/|^\.\.\.$|^[\w-]+\.go$/;
const GO_BUILD = '-v -x -n -a -race -msan -tags= -p= -trimpath -work -cover -json -buildvcs=true|false|auto';

const go = (options: string, more: Partial<Grammar> = {}): Grammar => ({
  style: 'words',
  options,
  args: [GO_PACKAGE],
  why: 'other options can run programs or write files, and other packages are code from elsewhere',
  ...more,
});

/** Programs that run what the project defines, with the options that can't make them run anything else. */
export const RUNNERS: Readonly<Record<string, Program>> = {
  vitest: { ...VITEST, commands: each('run watch list', VITEST) },
  jest: {
    options: `-biuo -t=text -w= --coverage --no-coverage --verbose --silent --bail[=] --ci --watchAll=false --testNamePattern=text --testPathPattern= --testPathPatterns= --runInBand --onlyChanged
      --onlyFailures --lastCommit --changedSince= --updateSnapshot --maxWorkers= --passWithNoTests --listTests --no-cache --detectOpenHandles --forceExit --json --expand --color --no-color --colors
      --errorOnDeprecated --shard= --findRelatedTests --showSeed --randomize --seed= --testTimeout= --logHeapUsage --version`,
    args: ['path'],
    why: 'other options can load code',
  },
  mocha: {
    options: `-bc -g=text -f=text -t= -s= -j= -R=${REPORTERS} --grep=text --fgrep=text --invert --bail --reporter=${REPORTERS} --timeout= --slow= --retries= --exit --parallel --jobs= --recursive
      --forbid-only --forbid-pending --color --no-color --check-leaks --full-trace --diff --no-diff --dry-run`,
    args: ['path'],
    why: 'other options can load code',
  },
  playwright: {
    commands: {
      test: {
        options: `-xu -g=text -j= --grep=text --grep-invert=text --project= --headed --reporter=${REPORTERS} --workers= --retries= --timeout= --list --last-failed --max-failures= --update-snapshots --shard= --quiet --repeat-each= --forbid-only`,
        args: ['path'],
        why: 'other options can load code',
      },
    },
  },
  pytest: {
    options: `-vqxsl -k=expression -m=expression -n= -r= --verbose --quiet --exitfirst --tb= --lf --last-failed --ff --failed-first --nf --new-first
      --sw --stepwise --maxfail= --collect-only --co --durations= --durations-min= --no-header --no-summary --showlocals --color= --capture= --setup-show --fixtures --markers --disable-warnings
      --strict-markers --timeout= --cov[=] --no-cov --cov-branch --cov-report=term|term-missing|term:skip-covered --cov-fail-under= --numprocesses= --dist= --version --full-trace --runxfail`,
    args: ['path'],
    why: 'other options can load code or write files',
  },
  cargo: {
    commands: {
      ...each('build b check c', cargo()),
      ...each('test t', CARGO_TEST),
      clippy: CARGO_CHECK,
      fmt: { options: '-qv -p= --all --check --package= --quiet --verbose', after: { options: '--check' } },
      doc: cargo('--no-deps --document-private-items'),
      tree: CARGO_TREE,
      metadata: cargo('--no-deps --format-version='),
      version: { options: '-v --verbose' },
    },
  },
  go: {
    commands: {
      build: go(GO_BUILD),
      test: go(
        `${GO_BUILD} -run=text -skip=text -bench=text -fuzz=text -list=text -count= -short -timeout= -parallel= -failfast -cpu= -benchmem -benchtime= -shuffle= -covermode= -coverpkg= -fullpath -vet=off -fuzztime=`,
      ),
      vet: go('-v -x -n -json -tags= -c='),
      fmt: go('-n -x'),
      list: go('-json[=] -f=text -deps -test -e -find -tags= -compiled'),
      doc: go('-all -short -src -u -c -cmd', { args: ['text'] }),
      version: { style: 'words', options: '-v' },
    },
  },
  make: {
    options:
      '-ksnBiqwS -j[=] -l[=] -O[=] --jobs[=] --keep-going --silent --quiet --dry-run --just-print --recon --always-make --ignore-errors --question --no-print-directory --print-directory --output-sync[=]',
    // A variable (`SHELL=x`) can be a program.
    args: ['name'],
    why: 'other options and variables can run other programs',
  },
  ninja: { options: '-vn -j= -k= -l= --verbose --quiet --version', args: ['name'] },
  gradle: {
    options:
      '-qidsw -x=name --offline --info --debug --stacktrace --quiet --warn --continue --parallel --no-parallel --no-daemon --tests=text --rerun-tasks --build-cache --no-build-cache --dry-run --console=',
    args: [/^:?[a-z][\w:-]*$/i],
    why: 'other options can load code',
  },
  mvn: {
    options: '-qBoeXU --quiet --batch-mode --offline --errors --no-transfer-progress --also-make --fail-at-end --fail-fast',
    args: [/^(validate|compile|test-compile|test|package|verify)$/],
    why: 'other goals and options can load code',
  },
  eslint: {
    options:
      '-f=stylish|json|html -h --fix --fix-dry-run --quiet --max-warnings= --ext= --cache --color --no-color --format=stylish|json|html --report-unused-disable-directives --no-error-on-unmatched-pattern --no-inline-config --version',
    args: ['path'],
    why: 'other options can load code',
  },
  prettier: {
    options: '-cwlu --check --write --list-different --cache --color --no-color --log-level= --ignore-unknown --no-error-on-unmatched-pattern --version',
    args: ['path'],
    why: 'other options can load code',
  },
  tsc: {
    options:
      '-wb --noEmit --watch --build --pretty --strict --skipLibCheck --incremental --listFiles --listFilesOnly --showConfig --version --force --dry --verbose',
    args: ['path'],
    why: 'other options can write elsewhere',
  },
};
