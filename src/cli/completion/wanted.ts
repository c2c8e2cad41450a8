/** A command as completion knows it: nothing of its code, so that pressing Tab loads none. */
export interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly { readonly name: string; readonly takesText: boolean; readonly about: string }[];
}

/** A word that fits, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** What the last word can be. */
export type Wanted =
  | { readonly kind: 'words'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'session'; readonly start: string }
  | { readonly kind: 'file' };

/** Verbs whose first argument is a session. */
const ABOUT_A_SESSION: ReadonlySet<string> = new Set(['attach', 'logs', 'send', 'wait', 'interrupt', 'stop', 'fork', 'queue', 'export', 'changes', 'revert']);
/** What the first argument of other verbs can be. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  service: ['install', 'remove', 'status'],
  completion: ['bash', 'zsh', 'fish'],
  token: ['add', 'list', 'revoke'],
  rules: ['add', 'test', 'revoke'],
  worktrees: ['merge', 'archive', 'remove', 'restore', 'setup', 'run'],
};

/** `words` is the line after `signalbox`, up to the cursor; the last one is not complete and can be empty. */
export function wantedBy(commands: readonly DescribedCommand[], words: readonly string[]): Wanted {
  const start = words.at(-1) ?? '';
  if (words.length <= 1)
    return fitting(
      start,
      commands.map(({ name, summary }) => ({ word: name, about: summary })),
    );
  const command = commands.find(({ name }) => name === words[0]);
  if (command === undefined) return { kind: 'file' };
  const flag = command.flags.find(({ name }) => `--${name}` === words.at(-2));
  if (flag?.takesText === true) return flag.name === 'session' ? { kind: 'session', start } : { kind: 'file' };
  if (start.startsWith('-'))
    return fitting(
      start,
      command.flags.map(({ name, about }) => ({ word: `--${name}`, about })),
    );
  const others = words.slice(1, -1).filter((word) => !word.startsWith('-'));
  if (ABOUT_A_SESSION.has(command.name) && (others.length === 0 || command.name === 'wait')) return { kind: 'session', start };
  const known = others.length === 0 ? ARGUMENTS[command.name] : undefined;
  return known === undefined
    ? { kind: 'file' }
    : fitting(
        start,
        known.map((word) => ({ word, about: '' })),
      );
}

const fitting = (start: string, all: readonly Candidate[]): Wanted => ({ kind: 'words', candidates: all.filter(({ word }) => word.startsWith(start)) });
