import type { Command } from './line.ts';
import { obstacleIn } from './obstacle.ts';
import { list } from './wrappers.ts';

/** These only read files or the machine's state, or print their arguments. What some of them can do beyond that is checked separately. */
const READERS: ReadonlySet<string> = new Set([
  ...list('ls cat head tail wc grep egrep fgrep rg find fd tree stat file du df diff cmp comm realpath readlink basename dirname which type'),
  ...list('sort uniq cut tr nl tac rev fold fmt expand unexpand paste join column od hexdump xxd jq sed'),
  ...list('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum'),
  ...list('echo printf pwd date seq sleep true false test id whoami groups uname hostname nproc uptime free ps'),
  ...list('git gh docker podman'),
]);

/** These create what is missing; of what exists they change at most the timestamps. */
const MAKERS: ReadonlySet<string> = new Set(list('mkdir touch'));

/** These run what the project itself defines. Not yarn: its `run` takes any program of the project's packages, and with it any script. */
const BUILDERS: ReadonlySet<string> = new Set(list('npm pnpm cargo go make pytest'));

/**
 * Whether a rule that names no program can cover a command. Nobody can list all programs that run others, so this is an allow list:
 * only what is known passes, by its plain name (`./ls` is another program), and only if nothing in its arguments speaks against it.
 */
export function isHarmless(command: Command): boolean {
  const [name, ...others] = command;
  if (obstacleIn(command) !== undefined) return false;
  if (READERS.has(name.text) || MAKERS.has(name.text)) return true;
  return BUILDERS.has(name.text) && !others.some(({ text }) => leadsOut(text));
}

/** `pytest /tmp/x.py` runs code from outside the project. */
const leadsOut = (text: string): boolean => /(^|=)[/~]|(^|[/=])\.\.(\/|$)/.test(text);
