import type { Call } from './judge.ts';
import { pathsOf } from './match.ts';
import { programOf } from './shell/obstacle.ts';
import { parse } from './shell/parse.ts';
import { isWithin, lexical } from './shell/paths.ts';
import { type Reached, reachedBy } from './shell/reachable-commands.ts';

/** Programs that delete, overwrite or gain privileges, whatever their arguments are. */
const ALWAYS = new Set([
  ...[
    'rm',
    'rmdir',
    'shred',
    'dd',
    'mkfs',
    'fdisk',
    'parted',
    'wipefs',
    'truncate',
    'sudo',
    'su',
    'doas',
    'shutdown',
    'reboot',
    'halt',
    'kill',
    'killall',
    'pkill',
  ],
  ...['chown', 'crontab', 'iptables', 'userdel', 'passwd', 'mount', 'umount', 'eval'],
]);

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'python', 'node', 'perl', 'ruby']);
const FETCHERS = new Set(['curl', 'wget']);

/** Whether a call looks dangerous enough that a person should see it first. It decides nothing. */
export function isRisky({ subject, cwd }: Call): boolean {
  if (subject.kind === 'edit' || subject.kind === 'read') return pathsOf(subject).some((path) => !isWithin(lexical(path, cwd), cwd) || isSecret(path));
  if (subject.kind !== 'command') return false;
  return [...reachedBy(subject.command)].some(isRiskyCommand) || isFetchedAndRun(subject.command) || writesOutside(subject.command);
}

const isSecret = (path: string): boolean => /(^|\/)(\.env[^/]*|\.ssh|\.aws|\.gnupg|\.netrc|\.npmrc|id_[a-z0-9]+)(\/|$)/i.test(path);

function isRiskyCommand({ words, starts }: Reached): boolean {
  const texts = words.map(({ text }) => text);
  return texts.slice(1).some(isSecret) || starts.some((at) => isRiskyAt(texts, at));
}

function isRiskyAt(words: readonly string[], at: number): boolean {
  const program = programOf(words[at] ?? '');
  if (ALWAYS.has(program) || program.startsWith('mkfs')) return true;
  if (program === 'git') return isRiskyGit(words.slice(at + 1));
  if (program === 'chmod') return words.slice(at + 1).some((word) => /^-\w*R|^--recursive|^[0-7]*777$|\+s/.test(word));
  return program === 'find' && words.slice(at + 1).some((word) => /^-(delete|exec|ok)/.test(word));
}

function isRiskyGit(words: readonly string[]): boolean {
  const has = (form: RegExp): boolean => words.some((word) => form.test(word));
  if (words.includes('push')) return has(/^(--force|--delete|--mirror|-\w*[fd]|\+)/);
  if (words.includes('reset')) return has(/^--hard$/);
  if (words.includes('branch')) return has(/^-\w*D/);
  return words.includes('clean') || words.includes('filter-branch') || words.includes('update-ref') || (words.includes('stash') && has(/^(drop|clear)$/));
}

/** `curl … | sh`: what was fetched is run. */
function isFetchedAndRun(text: string): boolean {
  const names = parse(text).commands.map(([name]) => programOf(name.text));
  const fetched = names.findIndex((name) => FETCHERS.has(name));
  return fetched >= 0 && names.slice(fetched).some((name) => SHELLS.has(name));
}

const writesOutside = (text: string): boolean => />\s*["']?(\/(?!dev\/null|tmp\/)|~)/.test(text);
