import { describe, expect, test } from 'vitest';
import { refusedEnv } from './option-env.ts';

const agent = { title: 'Some agent' };

/** By the reason that a refusal gives. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'are our own': ['SIGNALBOX_TOKEN', 'signalbox_x'],
  'which programs are run': [
    ...['PATH', 'Path', 'SHELL', 'EDITOR', 'VISUAL', 'PAGER', 'MANPAGER', 'GH_PAGER', 'SYSTEMD_PAGER', 'KUBE_EDITOR', 'BROWSER', 'SSH_ASKPASS', 'SUDO_ASKPASS'],
    ...['LESS', 'LESSOPEN', 'LESSCLOSE', 'LESSKEYIN', 'FCEDIT', 'MAILCAPS'],
  ],
  'the system loads': [
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'GCONV_PATH',
    'OPENSSL_CONF',
    'OPENSSL_MODULES',
    'SSH_SK_PROVIDER',
    'GTK_MODULES',
    'QT_PLUGIN_PATH',
  ],
  'a shell runs': ['BASH_ENV', 'BASH_FUNC_ls', 'ENV', 'IFS', 'PS0', 'PS4', 'PROMPT_COMMAND', 'SHELLOPTS', 'ZDOTDIR', 'FPATH', 'READNULLCMD', 'MODULE_PATH'],
  'their settings': [
    ...[
      'HOME',
      'XDG_CONFIG_HOME',
      'XDG_DATA_DIRS',
      'TAR_OPTIONS',
      'GZIP',
      'RIPGREP_CONFIG_PATH',
      'FZF_DEFAULT_COMMAND',
      'VIMINIT',
      'EMACSLOADPATH',
      'CURL_HOME',
    ],
    ...['WGETRC', 'INPUTRC', 'GNUPGHOME', 'DBUS_SESSION_BUS_ADDRESS', 'PSQLRC', 'TEXINPUTS'],
  ],
  'version control': [
    ...['GIT_SSH_COMMAND', 'GIT_CONFIG_COUNT', 'GIT_DIR', 'GIT_AUTHOR_NAMES', 'RSYNC_RSH', 'RSYNC_CONNECT_PROG', 'SVN_SSH', 'CVS_RSH', 'CVSROOT'],
    ...['HG', 'HGRCPATH', 'HGMERGE', 'P4CONFIG', 'GH_CONFIG_DIR'],
  ],
  'what a build runs': [
    ...['MAKE', 'MAKEFILES', 'MAKEFLAGS', 'GNUMAKEFLAGS', 'MFLAGS', 'CC', 'CXX', 'LD', 'AR', 'HOSTCC', 'CC_FOR_BUILD', 'CFLAGS', 'LDFLAGS', 'GCC_EXEC_PREFIX'],
    ...['COMPILER_PATH', 'CCACHE_PREFIX', 'CMAKE_TOOLCHAIN_FILE', 'PKG_CONFIG_PATH', 'CARGO', 'CARGO_HOME', 'CARGO_BUILD_RUSTC', 'CARGO_TARGET_X_RUNNER'],
    ...[
      'CARGO_BUILD_RUSTC_WRAPPER',
      'RUSTC',
      'RUSTC_WRAPPER',
      'RUSTDOC',
      'RUSTFLAGS',
      'RUSTUP_TOOLCHAIN',
      'GOFLAGS',
      'GOROOT',
      'GOTOOLCHAIN',
      'GOENV',
      'GOPROXY',
    ],
    ...['GOCACHEPROG', 'CGO_CFLAGS'],
  ],
  'an interpreter runs': [
    ...[
      'NODE_OPTIONS',
      'NODE_PATH',
      'ELECTRON_RUN_AS_NODE',
      'TS_NODE_PROJECT',
      'BUN_OPTIONS',
      'PERL5OPT',
      'RUBYOPT',
      'LUA_PATH',
      'LUA_PATH_5_4',
      'LUA_INIT',
      'PHPRC',
    ],
    ...['PYTHONPATH', 'PYTHONSTARTUP', 'PYTHONWARNINGS', 'PYTHONBREAKPOINT', 'PYTEST_ADDOPTS', 'VIRTUAL_ENV', 'TCLLIBPATH', 'AWKPATH', 'ERL_FLAGS', 'ERL_LIBS'],
    ...['ELIXIR_ERL_OPTIONS', 'MIX_HOME', 'GUILE_LOAD_PATH', 'OCAMLPATH', 'JULIA_LOAD_PATH', 'R_PROFILE_USER', 'R_LIBS', 'GHCRTS', 'WINEPREFIX'],
  ],
  'a virtual machine': [
    ...['JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS', 'JAVA_OPTS', 'JAVA_HOME', 'CLASSPATH', 'MAVEN_OPTS', 'GRADLE_OPTS', 'SBT_OPTS'],
    ...['DOTNET_STARTUP_HOOKS', 'DOTNET_ROOT', 'COR_PROFILER', 'CORECLR_ENABLE_PROFILING', 'MSBUILDSDKSPATH', 'MONO_PATH'],
  ],
  'package manager': [
    ...[
      'npm_config_script_shell',
      'npm_config_node_options',
      'NPM_CONFIG_PREFIX',
      'npm_config_globalconfig',
      'npm_config_userconfig',
      'npm_execpath',
      'YARN_RC_FILENAME',
    ],
    ...['PNPM_HOME', 'PIP_INDEX_URL', 'UV_PYTHON', 'BUNDLE_GEMFILE', 'GEM_HOME', 'POETRY_HOME', 'CONDA_PREFIX', 'NIX_PATH', 'COMPOSER_HOME', 'NVM_DIR'],
  ],
  'names a machine': [
    ...['KUBECONFIG', 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE', 'DOCKER_CONFIG', 'DOCKER_HOST', 'CONTAINER_HOST', 'COMPOSE_FILE', 'ANSIBLE_CONFIG'],
    ...['TF_CLI_ARGS', 'HELM_PLUGINS', 'CLOUDSDK_PYTHON', 'GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES'],
  ],
};

for (const [reason, names] of Object.entries(REFUSED)) {
  describe(`refused, because of "${reason}"`, () => {
    for (const name of names) {
      test(name, () => {
        const refusal = { refused: 'bad-request', message: expect.stringContaining(reason) as string };
        for (const written of [name, name.toLowerCase()]) expect(refusedEnv(agent, { FINE: '1', [written]: 'x' }), written).toMatchObject(refusal);
      });
    }
  });
}

/** Ordinary names, and those that only look like a refused one. */
const TAKEN = [
  ...[
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'MY_APP_ENV',
    'APP_ENV',
    'ENVIRONMENT',
    'DATABASE_URL',
    'REDIS_URL',
    'PORT',
    'HOST',
    'DEBUG',
    'CI',
  ],
  ...[
    'TZ',
    'LANG',
    'LC_ALL',
    'TERM',
    'COLORTERM',
    'COLUMNS',
    'FORCE_COLOR',
    'NO_COLOR',
    'TMPDIR',
    'USER',
    'LOGNAME',
    'DISPLAY',
    'SSH_AUTH_SOCK',
    'DEBIAN_FRONTEND',
  ],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'CURL_CA_BUNDLE'],
  ...[
    'NODE_ENV',
    'RAILS_ENV',
    'RACK_ENV',
    'MIX_ENV',
    'FLASK_APP',
    'DJANGO_SETTINGS_MODULE',
    'PYTHONUNBUFFERED',
    'RUST_LOG',
    'RUST_BACKTRACE',
    'CARGO_TERM_COLOR',
  ],
  ...[
    'GOOS',
    'GOARCH',
    'GOMAXPROCS',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'GOOGLE_CLOUD_PROJECT',
    'AWS_REGION',
    'AWS_PROFILE',
    'AWS_ACCESS_KEY_ID',
    'AWS_SESSION_TOKEN',
  ],
  ...[
    'GIT_AUTHOR_NAME',
    'GIT_COMMITTER_EMAIL',
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'GITLAB_TOKEN',
    'NPM_TOKEN',
    'PGPASSWORD',
    'PGHOST',
    'MYSQL_PASSWORD',
    'DOCKER_BUILDKIT',
  ],
  ...[
    'PATHS',
    'MY_PATH',
    'LDAP_HOST',
    'HOMEPAGE',
    'HOSTNAME',
    'MAKER',
    'ARCH',
    'ASSETS',
    'ARTIFACTS',
    'CCI',
    'STRIPE_KEY',
    'STRIPE_SECRET',
    'PIPELINE_ID',
    'GEMINI_API_KEY',
  ],
  ...['LESSON', 'SHELLY', 'GHOST_URL', 'RUSTIC', 'JAVASCRIPT', 'REDITORS', 'HGH', 'FCM_KEY', 'LINKERD_URL', 'NMAP', 'FOO', '_', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
];
describe('taken', () => {
  for (const name of TAKEN) test(name, () => expect(refusedEnv(agent, { [name]: 'x' })).toBeUndefined());
});
