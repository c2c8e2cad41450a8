import type { Adapter } from '../agents/adapter.ts';
import type { Refusal } from '../protocol/command.ts';

const MAX_VARIABLES = 200;
/** The kernel takes 128 kB for one variable with its name. */
const MAX_VALUE_BYTES = 100_000;

/** Why these variables may not be given to a session, if so. Names are compared without case: some programs read them so. */
export function refusedEnv(adapter: Pick<Adapter, 'title' | 'refusedEnv'>, env: Readonly<Record<string, string>>): Refusal | undefined {
  const variables = Object.entries(env);
  if (variables.length > MAX_VARIABLES) return { refused: 'too-large', message: `"env" may have at most ${MAX_VARIABLES} variables.` };
  for (const [name, value] of variables) {
    const problem = problemOf(adapter, name, value);
    if (problem !== undefined) return { refused: 'bad-request', message: problem };
  }
  return undefined;
}

function problemOf(adapter: Pick<Adapter, 'title' | 'refusedEnv'>, name: string, value: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `"${name.slice(0, 60)}" is no name of a variable: letters, digits and "_", no digit first.`;
  const rule = RULES.find(([, pattern]) => pattern.test(name));
  if (rule !== undefined) return `The variable ${name} may not be set for a session: ${rule[0]}.`;
  if (adapter.refusedEnv?.some((pattern) => pattern.test(name)))
    return `The variable ${name} may not be set for a session: it changes what ${adapter.title} itself does.`;
  if (value.includes('\0') || Buffer.byteLength(value) > MAX_VALUE_BYTES) return `The value of ${name} has a zero byte or more than ${MAX_VALUE_BYTES} bytes.`;
  return undefined;
}

/** Where a shell, a loader or an interpreter looks for what it runs. An agent asks before it runs something; a variable would not. */
const RULES: readonly (readonly [rule: string, names: RegExp])[] = [
  ['names that begin with SIGNALBOX_ are our own', /^SIGNALBOX_/i],
  [
    'it says which programs are run',
    /^(PATH|SHELL|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESSOPEN|LESSCLOSE|SSH_ASKPASS|SUDO_ASKPASS|RUSTC|RUSTC_WRAPPER|COMSPEC|PATHEXT)$/i,
  ],
  ['it says what the system loads into every program', /^(LD|DYLD)_|^(GCONV_PATH|GLIBC_TUNABLES|LOCPATH|NLSPATH)$/i],
  [
    'it says what a shell runs before its commands',
    /^(BASH_(?!(DEFAULT_TIMEOUT_MS|MAX_TIMEOUT_MS|MAX_OUTPUT_LENGTH)$)|ZDOTDIR$|ENV$|IFS$|PS4$|PROMPT_COMMAND$|SHELLOPTS$|BASHOPTS$|CDPATH$|FPATH$|KSH_ENV$)/i,
  ],
  [
    'it says where programs find their settings, and those can name programs',
    /^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_.*|NPM_CONFIG_.*|YARN_.*|PNPM_.*|PIP_.*|CURL_HOME|WGETRC|INPUTRC)$/i,
  ],
  [
    'it says what an interpreter runs or loads',
    /^(NODE_(?!(ENV|NO_WARNINGS|EXTRA_CA_CERTS)$)|BUN_|DENO_|PERL5|PERLLIB$|PERL_|RUBY|GEM_|BUNDLE_|LUA_|PHPRC$|PHP_|CLASSPATH$)/i,
  ],
  ['it says what an interpreter runs or loads', /^PYTHON(?!(UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED)$)/i],
  [
    'it says what an interpreter runs or loads',
    /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|COR_PROFILER.*|CORECLR_PROFILER.*|R_PROFILE.*|R_ENVIRON.*)$/i,
  ],
  ['it says what git runs, or where it finds that', /^GIT_(?!((AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|TERMINAL_PROMPT|OPTIONAL_LOCKS)$)/i],
];
