import type { RuleBody, RulePattern } from '../../protocol/rule.ts';
import { programOf } from './shell/obstacle.ts';
import { parse } from './shell/parse.ts';
import { PROGRAMS, READERS } from './shell/programs/index.ts';
import { RUNNERS } from './shell/programs/runners.ts';
import { SCRIPTS } from './shell/programs/scripts.ts';

/** What a broad allow rule gives away, in plain words; undefined for a rule that is as narrow as it looks. */
export function breadthOf({ behavior, scope, ...pattern }: RuleBody): string | undefined {
  const what = behavior === 'allow' ? givesAway(pattern) : undefined;
  if (what === undefined) return undefined;
  return scope.kind === 'everywhere' ? `${what} This applies in every folder, including projects you have not opened yet.` : what;
}

/** The same for a pattern without its scope. */
export function givesAway({ tool, command, path, host }: RulePattern): string | undefined {
  if (command !== undefined) return commandText(command);
  if (path !== undefined) return pathText(path);
  if (host !== undefined) return host.startsWith('*.') ? 'Every subdomain, including ones that other people control on shared hosts.' : undefined;
  return toolText(tool);
}

const SCRIPTS_TEXT = 'Scripts and tests run whatever the project’s files say at that time, and an agent that can edit those files decides what that is.';

function toolText(tool: string): string {
  if (/^mcp_/.test(tool)) return 'Every call, whatever it does and with any arguments.';
  return [
    'Every call, with these limits.',
    'Commands: programs that read files in the session’s folder (hidden ones such as .env too), git without commands that discard work, and the project’s own scripts and tests.',
    SCRIPTS_TEXT,
    'Files: everything in the session’s folder except hidden names.',
    'Any other tool: whatever it does, with any arguments.',
  ].join(' ');
}

function pathText(path: string): string | undefined {
  if (!path.includes('*')) return undefined;
  if (/^\/\*\*/.test(path)) return 'Every file on this machine that your account can use, except hidden names.';
  if (path.startsWith('/')) return 'Files outside the session’s folder, including ones that are created later.';
  return path.startsWith('**') ? 'Every file in the session’s folder except hidden names: also scripts and tests, which may run later.' : undefined;
}

function commandText(command: string): string | undefined {
  const { commands } = parse(command);
  const wild = commands.filter((words) => words.some(({ live }) => live.length > 0));
  const texts = wild.map(([name, first]) => programText(programOf(name.text), first?.live.length === 0 ? first.text : undefined));
  return texts.length === 0 ? undefined : [...new Set(texts)].join(' ');
}

/** Subcommands of git that change something. */
const GIT_CHANGES = new Set(['add', 'commit', 'merge', 'rebase', 'cherry-pick', 'revert', 'switch', 'checkout', 'restore', 'reset', 'stash', 'branch', 'tag']);

function programText(program: string, subcommand: string | undefined): string {
  if (program === 'git') return gitText(subcommand);
  if (Object.hasOwn(RUNNERS, program) || Object.hasOwn(SCRIPTS, program))
    return `Runs the project’s own code with ${program}${program === 'npm' && subcommand === undefined ? ', and asks the package registry' : ''}. ${SCRIPTS_TEXT}`;
  if (program === 'mkdir' || program === 'touch') return 'Creates files or folders anywhere in the session’s folder.';
  if (Object.hasOwn(READERS, program) || program === 'sed') return 'Reads any file in the session’s folder, hidden ones such as .env too.';
  if (PROGRAMS.has(program)) return `Whatever ${program} shows, with the sign-in that ${program} has on this machine.`;
  return `Signalbox doesn’t know ${program}: you allow whatever it does with any arguments in the folder. Don’t, if it can run other programs.`;
}

function gitText(subcommand: string | undefined): string {
  if (subcommand === undefined)
    return 'Commits, merges, rebases, switches branches, stashes and pulls from the configured remote without asking; the repository’s hooks run. Push, other remotes and everything that discards work are still asked about.';
  if (subcommand === 'pull' || subcommand === 'fetch') return 'Brings in code from the remote; another one than the configured is asked about.';
  if (GIT_CHANGES.has(subcommand)) return 'Changes the repository, and its hooks run. Forms that discard work are still asked about.';
  return 'Reads the repository: its files, and its whole history.';
}
