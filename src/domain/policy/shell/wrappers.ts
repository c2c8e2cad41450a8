export const list = (words: string): readonly string[] => words.split(/\s+/).filter((word) => word !== '');

/** Not matched by any allow rule: their arguments do not show what they run. */
export const NEVER: ReadonlySet<string> = new Set(list('eval source . exec xargs'));

/** Other names of programs on some systems. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ...list('find sed sort date awk tar make env xargs timeout nice nohup stdbuf chroot uniq split shuf').map((name) => [`g${name}`, name] as const),
  ['fdfind', 'fd'],
  ['batcat', 'bat'],
  ['ack-grep', 'ack'],
  ['py.test', 'pytest'],
]);

/** The dynamic loader, emulators, supervisors' tools and compilers for other machines: each has many names. */
export const WRAPPER_FAMILIES = /^(ld[-.].*so|qemu-|s6-|execlineb?|lxc-|docker-|podman-|systemd-|git-|.+-(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld)$)/;

const SHELLS = [
  ...list('sh bash rbash dash ash zsh rzsh ksh rksh mksh lksh oksh loksh pdksh fish csh tcsh elvish nu pwsh powershell busybox toybox cmd wsl'),
  ...list('yash posh osh ysh oil xonsh rc es ion murex sash scsh hush rlwrap rbash expect autoexpect'),
];

const INTERPRETERS = [
  ...list(
    'python pythonw pypy ipython jython micropython node nodejs deno bun bunx tsx ts-node qjs d8 electron perl raku rakudo ruby irb jruby php php-cgi phpdbg',
  ),
  ...list('lua luajit moon fennel tclsh wish jimsh r rscript julia octave matlab maxima sage gp gnuplot ghc ghci runghc runhaskell stack cabal'),
  ...list(
    'scala groovy jshell java jjs jrunscript jbang kotlin kotlinc clojure clj bb lein dotnet csi csharp fsharpi mono wine wine64 dart flutter swift swiftc',
  ),
  ...list('elixir elixirc iex mix erl erlc escript rebar3 ocaml ocamlrun utop dune swipl prolog gprolog sbcl clisp ecl ccl abcl newlisp txr'),
  ...list('guile racket gracket raco chez scheme mit-scheme gosh janet hy crystal zig nim nimble odin rustc tcc pike gst gforth idris coqtop lean lake'),
  ...list('awk gawk mawk nawk osascript dc m4 sqlite3 psql mysql mariadb mongo mongosh redis-cli duckdb'),
  ...list('tex latex pdflatex xelatex lualatex latexmk gs asy magick convert'),
];

/** These run their arguments as a command, some of them on another machine or as another user. */
const RUNNERS = [
  ...list(
    'command builtin nohup time timeout nice ionice chrt taskset numactl setsid stdbuf unbuffer script watch flock parallel entr env direnv dotenv dotenvx',
  ),
  ...list('catchsegv cross-env concurrently nodemon watchexec pm2 forever hyperfine bench multitime rush sem xe xjobs pee ifne chronic ts vipe vidir sponge'),
  ...list('zrun lckdo mispipe combine fzf sk start-stop-daemon daemon daemonize run-parts tini dumb-init catatonit supervisord supervisorctl runsv sv'),
  ...list('foreman honcho overmind hivemind chpst softlimit setlock setuidgid envuidgid envdir argv0 prlimit cgexec choom uclampset coresched'),
  ...list('setarch linux32 linux64 uname26 i386 i486 i586 i686 athlon x86_64 aarch64 arm armv7l ppc ppc32 ppc64 ppc64le s390 s390x sparc sparc32 sparc64 mips'),
  ...list('mips32 mips64 parisc alpha ia64 arch gdb lldb rr strace ltrace ptrace uftrace bpftrace perf valgrind heaptrack nsys'),
  ...list('sudo sudoedit su doas run0 please runuser pkexec sg newgrp gosu su-exec chroot fakeroot fakechroot pseudo proot schroot unshare nsenter'),
  ...list('setpriv capsh runcon newrole firejail bwrap nsjail minijail minijail0 eatmydata faketime systemctl machinectl launchctl service at batch crontab'),
  ...list('ssh ssh-agent ssh-keygen sshpass autossh scp sftp rsync rsh mosh ftp lftp telnet nc ncat netcat socat curl wget aria2c mail mailx mutt tmux screen'),
  ...list('byobu zellij dtach abduco torsocks torify tsocks proxychains proxychains4 busctl dbus-send gdbus dbus-run-session dbus-launch'),
  ...list('xvfb-run xinit startx xterm konsole gnome-terminal alacritty kitty foot'),
];

const MACHINES = [
  ...list('nerdctl lxc incus multipass limactl lima colima crictl ctr runc crun youki kata-runtime distrobox toolbox apptainer singularity vagrant'),
  ...list('kubectl oc k3s minikube kind helm terraform tofu pulumi ansible ansible-playbook flatpak-spawn'),
];

const EDITORS = [
  ...list('emacs emacsclient vim vi nvim ex ed red view vimdiff nano pico micro joe kak hx helix less more most man info bat code subl'),
  ...list('xdg-open open start gitk tig lazygit ranger nnn lf mc vifm w3m lynx links elinks visudo vipw vigr'),
];

const PACKAGES = [
  ...list('tar bsdtar zip unzip cpio pax 7z 7za rar unrar install gcc g++ cc c++ clang clang++ ld ldd openssl gpg'),
  ...list('npx pnpx yarnpkg corepack volta nvm fnm n mise asdf rtx rustup rbenv pyenv nodenv goenv jenv uv uvx pipx pipenv poetry pdm hatch rye pixi tox nox'),
  ...list(
    'conda mamba micromamba nix nix-shell nix-env guix gem bundle bundler rake composer apt apt-get aptitude dpkg yum dnf rpm brew snap flatpak pacman apk',
  ),
];

const BUILTINS = [
  ...list(
    'cd pushd popd export unset set setopt unsetopt shopt alias unalias declare typeset local readonly let read mapfile readarray getopts trap enable hash',
  ),
  ...list('bind complete compgen compopt fc history ulimit umask wait jobs bg fg disown suspend logout exit return break continue shift print zmodload'),
  ...list('autoload functions zle vared emulate sched zcompile bindkey rehash disable'),
];

/** Programs whose arguments are other programs, scripts or places to write to, and builtins that change what later words mean. */
export const WRAPPERS: ReadonlySet<string> = new Set([...SHELLS, ...INTERPRETERS, ...RUNNERS, ...MACHINES, ...EDITORS, ...PACKAGES, ...BUILTINS]);
