import type { Command } from './line.ts';
import { obstacleIn } from './obstacle.ts';
import { list } from './wrappers.ts';

/** They look at files and at the machine, or say what they are told; what some of them could do besides is known and looked for. */
const LOOKERS: ReadonlySet<string> = new Set([
  ...list('ls cat head tail wc grep egrep fgrep rg find fd tree stat file du df diff cmp comm realpath readlink basename dirname which type'),
  ...list('sort uniq cut tr nl tac rev fold fmt expand unexpand paste join column od hexdump xxd jq sed'),
  ...list('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum'),
  ...list('echo printf pwd date seq sleep true false test id whoami groups uname hostname nproc uptime free ps'),
  ...list('git gh docker podman'),
]);

/** They make what is not there; of what is they change at most the time. */
const MAKERS: ReadonlySet<string> = new Set(list('mkdir touch'));

/** They run what the project itself says. Not yarn: its `run` takes any program of the project's packages, and with it any script. */
const BUILDERS: ReadonlySet<string> = new Set(list('npm pnpm cargo go make pytest'));

/**
 * Whether a rule that names no program may speak of a command. Nobody can list all programs that run others, so it is the other way round:
 * only what is known passes, by its plain name (`./ls` is another program), and only as long as its words have nothing against it.
 */
export function isTame(command: Command): boolean {
  const [name, ...others] = command;
  if (obstacleIn(command) !== undefined) return false;
  if (LOOKERS.has(name.text) || MAKERS.has(name.text)) return true;
  return BUILDERS.has(name.text) && !others.some(({ text }) => leadsOut(text));
}

/** `pytest /tmp/x.py` runs what another project says. */
const leadsOut = (text: string): boolean => /(^|=)[/~]|(^|[/=])\.\.(\/|$)/.test(text);
