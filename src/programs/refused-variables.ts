/** Variables of one kind, and why a session can't set them. */
interface Family {
  readonly because: string;
  readonly names: readonly RegExp[];
}

/**
 * Variables that decide which programs run, what they load first, or where they find settings that do. An agent asks before it runs something; a
 * variable would bypass that. Where new members keep appearing, the whole family is refused, except for those known to be harmless.
 */
export const REFUSED_FAMILIES: readonly Family[] = [
  { because: 'names that start with SIGNALBOX_ are reserved', names: [/^SIGNALBOX_/i] },
  {
    because: 'it decides which programs run',
    names: [
      /^(PATH|SHELL|COMSPEC|PATHEXT|TERMINAL|OPENER|VISUAL|FCEDIT|LESS|LESS(OPEN|CLOSE|EDIT|KEY.*)|MORE|MAILCAPS|DIFFPROG)$/i,
      // Many programs have their own: GH_PAGER, KUBE_EDITOR, SSH_ASKPASS.
      /(^|_|MAN)(PAGER|EDITOR|BROWSER|ASKPASS)$/i,
    ],
  },
  {
    because: 'it decides what the system loads into programs',
    names: [
      /^(LD|DYLD)_/i,
      /^(GCONV_PATH|GLIBC_TUNABLES|LOCPATH|NLSPATH|OPENSSL_(CONF.*|MODULES|ENGINES)|SSH_SK_PROVIDER|KRB5_CONFIG|SSLKEYLOGFILE)$/i,
      /^(GTK_(MODULES|PATH|EXE_PREFIX)|GTK\d?_MODULES|GIO_(EXTRA_MODULES|MODULE_DIR)|QT_PLUGIN_PATH|GST_PLUGIN_.*|VK_(ICD_FILENAMES|(ADD_)?DRIVER_FILES|(ADD_)?LAYER_PATH|INSTANCE_LAYERS|LOADER_.*)|OCL_ICD_.*|LIBGL_DRIVERS_PATH)$/i,
    ],
  },
  {
    because: 'it makes a shell run other commands',
    names: [
      /^BASH_(?!(DEFAULT_TIMEOUT_MS|MAX_TIMEOUT_MS|MAX_OUTPUT_LENGTH)$)/i,
      /^(ENV|IFS|PS[0-4]|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|CDPATH|FPATH|MODULE_PATH|ZDOTDIR|KSH_ENV|(READ)?NULLCMD|GLOBIGNORE|EXECIGNORE)$/i,
    ],
  },
  {
    // Also HOME: it contains .gitconfig, .npmrc, .ssh/config and the shells' own files, and each of them can name programs.
    because: 'it decides where programs find their settings, which can name other programs',
    names: [
      /^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_.*|INPUTRC|CURL_HOME|(SYSTEM_)?WGETRC|NETRC|GNUPGHOME|PASSWORD_STORE_.*|DBUS_.*_BUS_ADDRESS)$/i,
      /^(VIM|VIMINIT|EXINIT|VIMRUNTIME|MYVIMRC|NVIM_.*|EMACS(LOADPATH|DATA|PATH)|SCREENRC|MAN(PATH|OPT|ROFFOPT)|GROFF_.*|TEXINPUTS|TEXMF.*|PSQLRC|MYSQL_HOME)$/i,
      /^(TAR_OPTIONS|TAPE|GZIP|BZIP2?|XZ_(OPT|DEFAULTS)|ZIPOPT|UNZIP|GREP_OPTIONS|RIPGREP_CONFIG_PATH|ACKRC|ACK_OPTIONS|FZF_.*|BAT_(CONFIG_(PATH|DIR)|OPTS)|APT_CONFIG)$/i,
    ],
  },
  {
    because: 'it decides what version control and copy programs run',
    names: [
      /^GIT_(?!((AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|TERMINAL_PROMPT|OPTIONAL_LOCKS)$)/i,
      /^(RSYNC_(?!PASSWORD$)|SVN_|CVS_|CVSROOT$|BZR_|JJ_CONFIG$|HG($|RCPATH$|EDITOR$|MERGE$|ENCODING)|P4(CONFIG|DIFF|MERGE|ENVIRO|ALIASES)$|GH_(CONFIG_DIR|PATH)$)/i,
    ],
  },
  {
    because: 'it decides what a build runs',
    names: [
      /^(MAKE(FILES?|FLAGS|SHELL|OVERRIDES|_COMMAND)?|GNUMAKEFLAGS|MFLAGS|CMAKE_.*|CTEST_.*|MESON_.*|NINJAFLAGS|SCONSFLAGS|BAZEL.*|PKG_CONFIG.*|CONFIG_SITE|CONFIG_SHELL)$/i,
      /^((HOST|BUILD|TARGET)_?)?(CC|CXX|CPP|LD|AR|AS|NM|FC|F77|OBJC|RANLIB|STRIP|OBJCOPY|(C|CXX|CPP|LD|AR|AS|F)FLAGS)(_FOR_(BUILD|HOST|TARGET))?$/i,
      /^(CC|CXX|AR|RANLIB|CFLAGS|CXXFLAGS)_(x86|aarch|arm|i\d86|riscv|wasm|powerpc|s390|mips|sparc|thumb)/i,
      /^(CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|LIBRARY_PATH|COMPILER_PATH|GCC_.*|CCC_.*|CCACHE_.*|SCCACHE_.*|DISTCC_.*|ICECC.*)$/i,
      /^(CARGO($|_(?!(TERM_.*|INCREMENTAL|BUILD_JOBS|NET_OFFLINE)$))|RUST(C|DOC|FMT|UP|FLAGS))/i,
      /^(GO(FLAGS|ROOT|PATH|BIN|ENV|WORK|TOOLCHAIN|TOOLDIR|PROXY|VCS|AUTH|CACHE|CACHEPROG|MODCACHE|SUMDB|NOSUMDB|NOPROXY|INSECURE|PRIVATE)|GCCGO|CGO_.*)$/i,
    ],
  },
  {
    because: 'it decides what an interpreter runs or loads',
    names: [
      /^(NODE_(?!(ENV|NO_WARNINGS|EXTRA_CA_CERTS)$)|ELECTRON_|TS_NODE_|TSX_|BUN_|DENO_|PERL5|PERLLIB$|PERL_|RAKU(DO|LIB)|RUBY|LUA_|LUAROCKS_|PHPRC$|PHP_)/i,
      /^PYTHON(?!(UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED)$)/i,
      /^(PYTEST_|COVERAGE_PROCESS_START$|VIRTUAL_ENV$|IPYTHON|JUPYTER_(PATH|CONFIG)|TCLLIBPATH$|TCL_LIBRARY$|TK_LIBRARY$|AWK(LIB)?PATH$|M4PATH$|PSMODULEPATH$)/i,
      /^(GUILE_|PLT(ADDON|COLLECTS|COMPILED|USER|CONFIG|STD)|SBCL_|SWI_HOME_DIR$|ERL_|ELIXIR_|MIX_(?!ENV$)|REBAR_|OCAML|CAML_|JULIA_|OCTAVE_|GHC_|GHCRTS$|CRYSTAL_|ZIG_|DART_(VM_OPTIONS|SDK|FLAGS)$|PUB_(CACHE|HOSTED_URL)$|SWIFT_EXEC$|SWIFTPM_|WINE(PREFIX|LOADER|SERVER|DLL|PATH))/i,
      /^R_(HOME|LIBS.*|PROFILE.*|ENVIRON.*)$/i,
    ],
  },
  {
    because: 'it decides what a virtual machine runs or loads',
    names: [
      /^(_?JAVA_(TOOL_)?(OPTIONS|OPTS|HOME)|JDK_(JAVA_OPTIONS|HOME)|JRE_HOME|JAVACMD|CLASSPATH|M2_HOME)$/i,
      /^(MAVEN_|GRADLE_|ANT_(HOME|OPTS|ARGS)$|SBT_|KOTLIN_|GROOVY_|SCALA_(HOME|OPTS)$|LEIN_|CLJ_|JBANG_)/i,
      /^(DOTNET_(?!(CLI_TELEMETRY_OPTOUT|NOLOGO|ENVIRONMENT)$)|COMPLUS_|COR_(ENABLE_)?PROFIL|CORECLR_|MSBUILD|NUGET_|MONO_(PATH|CONFIG|ENV_OPTIONS|CFG_DIR|GAC_PREFIX)$)/i,
    ],
  },
  {
    because: 'it is a setting of a package manager, which runs what it installs',
    names: [
      /^(NPM_(?!TOKEN$)|YARN_|PNPM_|COREPACK_|NVM_|FNM_|VOLTA_|MISE_|ASDF_|DIRENV_|N_PREFIX$|HOMEBREW_|NIX_|GUIX_)/i,
      /^(PIP_|PIPX_|PIPENV_|UV_(?!THREADPOOL_SIZE$)|POETRY_|PDM_|HATCH_|RYE_|TOX_|NOX_|CONDA_|MAMBA_|PYENV_|RBENV_|GEM_|BUNDLE_|BUNDLER_|COMPOSER_|OPAM|HEX_(HOME|MIRROR|UNSAFE)|CABAL_|STACK_(ROOT|YAML|CONFIG|XDG)$)/i,
    ],
  },
  {
    because: 'it names a machine or settings used to run programs or fetch credentials',
    names: [
      /^(KUBECONFIG|AWS_(CONFIG_FILE|SHARED_CREDENTIALS_FILE)|CLOUDSDK_(CONFIG|PYTHON.*)|GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES|AZURE_CONFIG_DIR)$/i,
      /^(DOCKER_(CONFIG|HOST|CONTEXT|CERT_PATH|CLI_PLUGIN.*)|CONTAINERS?_(HOST|CONNECTION|CONF.*|STORAGE_CONF|REGISTRIES_CONF)|BUILDX_.*|BUILDKIT_HOST|COMPOSE_(?!PROJECT_NAME$).*)$/i,
      /^(HELM_|TF_CLI_|TF_PLUGIN|ANSIBLE_|VAGRANT_|LIMA_|INCUS_|LXC_|LXD_|PULUMI_HOME$)/i,
    ],
  },
];
