/** What a program can be made to do by its words. Whatever is named here is matched by a rule that has those very words, and by no wildcard. */
export interface Program {
  /** The only subcommands (one or two words) that a wildcard may speak of; any other could run or change anything. */
  readonly tame?: readonly string[];
  /** Long options, and one-letter ones that may stand in a cluster (`-uo`). An abbreviation of a long one counts too. */
  readonly options?: readonly string[];
  /** Arguments that are dangerous as they are. */
  readonly words?: readonly string[];
  /** Arguments of this form are dangerous. */
  readonly form?: RegExp;
  /** How many words without a dash it may have: with more of them it writes a file. */
  readonly most?: number;
  /** Options after `--` are not its own. */
  readonly endsAtDashes?: true;
}

const list = (words: string): readonly string[] => words.split(/\s+/).filter((word) => word !== '');

/** Not matched by any allow rule: what they run cannot be told from their words. */
export const NEVER: ReadonlySet<string> = new Set(list('eval source . exec xargs'));

/** Programs whose arguments are other programs, or scripts, or places to write to; and builtins that change what later words mean. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  ...list('sh bash rbash dash ash zsh ksh mksh fish csh tcsh elvish nu pwsh powershell busybox toybox cmd wsl'),
  ...list(
    'python pypy ipython node nodejs deno bun bunx tsx ts-node perl ruby irb php lua luajit tclsh wish expect r rscript julia ghci runghc scala groovy jshell java',
  ),
  ...list('awk gawk mawk nawk osascript gdb lldb strace ltrace perf valgrind dc m4 sqlite3 psql mysql mongo mongosh redis-cli'),
  ...list('emacs emacsclient vim vi nvim ex ed view vimdiff nano pico micro less more most man info bat code subl xdg-open open start gitk'),
  ...list(
    'command builtin nohup time timeout nice ionice chrt taskset numactl setsid stdbuf unbuffer script watch flock parallel entr env direnv dotenv catchsegv',
  ),
  ...list(
    'sudo sudoedit su doas runuser pkexec sg chroot unshare nsenter setpriv capsh firejail bwrap systemd-run systemctl launchctl service at batch crontab',
  ),
  ...list('ssh scp sftp rsync rsh mosh ftp telnet nc ncat netcat socat curl wget aria2c mail mailx tmux screen busctl dbus-send gdbus'),
  ...list('tar bsdtar zip unzip cpio pax 7z 7za rar unrar install gcc g++ cc c++ clang ld ldd openssl gpg'),
  ...list('npx pnpx yarnpkg corepack volta nvm fnm mise asdf rtx uv uvx pipx poetry pdm hatch tox nox conda mamba nix nix-shell nix-env guix'),
  ...list(
    'gem bundle rake composer apt apt-get aptitude dpkg yum dnf rpm brew snap flatpak pacman apk kubectl helm terraform ansible ansible-playbook vagrant',
  ),
  ...list(
    'cd pushd popd export unset set setopt unsetopt shopt alias unalias declare typeset local readonly let read mapfile readarray getopts trap enable hash bind',
  ),
  ...list(
    'complete compgen compopt fc history ulimit umask wait jobs bg fg disown suspend logout exit return break continue shift print zmodload autoload functions zle',
  ),
  ...list('vared emulate sched zcompile bindkey rehash disable'),
]);

export const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  [
    'git',
    {
      options: list(
        '--output --ext-diff --textconv --filters --exec --upload-pack --receive-pack --open-files-in-pager --extcmd --tool --strategy --config --template --force --hard --mirror --recurse-submodules',
      ),
      words: list('expire delete drop clear'),
      form: /^[a-z][\w.+-]*::/,
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
  ['pytest', { options: list('p c o --rootdir --confcutdir --config-file --override-ini --pdbcls --basetemp --pastebin') }],
  ['eslint', { options: list('c f o --config --rulesdir --parser --plugin --resolve-plugins-relative-to --format --output-file') }],
  ['prettier', { options: list('--plugin --config --plugin-search-dir') }],
  ['jest', { options: list('c --config --globalSetup --globalTeardown --setupFiles --testRunner --runner --transform --reporters --resolver') }],
  ['vitest', { options: list('c --config --globalSetup --reporter --runner --outputFile') }],
  [
    'npm',
    {
      endsAtDashes: true,
      tame: list('run run-script test t tst start stop restart ls list ll la view info show v outdated ping root why explain'),
      options: list(
        'C c --prefix --script-shell --shell --node-options --userconfig --globalconfig --call --editor --viewer --browser --git --init-module --location',
      ),
    },
  ],
  [
    'pnpm',
    {
      endsAtDashes: true,
      tame: list('run test t start ls list why outdated'),
      options: list('C c --dir --script-shell --shell-mode --shell-emulator --node-options --config --prefix'),
    },
  ],
  ['yarn', { endsAtDashes: true, tame: list('run test start list why outdated info'), options: list('--cwd --script-shell --use-yarnrc --modules-folder') }],
  [
    'cargo',
    {
      endsAtDashes: true,
      tame: list('build b check c test t clippy fmt doc tree metadata version'),
      options: list('C Z --config --manifest-path --target-dir --fix --open'),
    },
  ],
  [
    'go',
    {
      tame: list('build test vet list doc version fmt'),
      words: list('-exec -toolexec -vettool -overlay -modfile -o -C -ldflags -gcflags -asmflags -gccgoflags'),
      form: /^--?(exec|toolexec|vettool|overlay|modfile|o|C|ldflags|gcflags|asmflags|gccgoflags|outputdir|trace|\w+profile)(=|$)/,
    },
  ],
  ['pip', { tame: list('list show freeze check'), options: list('--python --config-settings --log') }],
  ['docker', { tame: list('ps images logs inspect version info stats top port diff history events'), options: list('c H --config --context --host') }],
  [
    'podman',
    {
      tame: list('ps images logs inspect version info stats top port diff history events'),
      options: list('c --connection --url --hooks-dir --runtime --conmon'),
    },
  ],
  [
    'gh',
    {
      tame: [
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
      tame: list('addr a address link l route r'),
      options: list('b --batch'),
      words: list('-batch -b -n -netns netns add del delete set change replace flush'),
    },
  ],
]);

/** What a wildcard may speak of in git: whatever is not here may be an alias, a helper on the PATH, or run programs by design. */
export const TAME_GIT: ReadonlySet<string> = new Set([
  ...list(
    'status diff log show branch tag add commit pull fetch checkout switch restore stash merge rebase cherry-pick revert reset blame annotate grep reflog',
  ),
  ...list(
    'ls-files ls-tree rev-parse rev-list describe shortlog show-ref show-branch for-each-ref cat-file name-rev merge-base diff-tree diff-index diff-files',
  ),
  ...list('whatchanged count-objects version range-diff cherry check-ignore check-attr'),
]);

/** One-letter options of git's subcommands that run something, or throw work away. */
export const GIT_LETTERS: ReadonlyMap<string, string> = new Map([
  ['grep', 'O'],
  ['rebase', 'xs'],
  ['merge', 's'],
  ['pull', 'sf'],
  ['fetch', 'uf'],
  ['checkout', 'fB'],
  ['switch', 'fC'],
  ['branch', 'DfM'],
  ['tag', 'df'],
]);
