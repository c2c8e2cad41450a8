import type { Call } from './judge.ts';
import { pathsOf, type RealPath } from './match.ts';
import { isWithin, lexical } from './shell/paths.ts';
import { type Reached, reachedBy } from './shell/reachable-commands.ts';
import { fits, piecesOf } from './wildcard.ts';

/** Subcommands of Signalbox that answer requests, create rules and tokens, or change what runs without asking. */
const CONTROLS: ReadonlySet<string> = new Set(['answer', 'token', 'rules', 'hooks', 'service']);

/** Signalbox itself, by any path, as a package (`signalbox@latest`) or as its script. */
const SIGNALBOX = /(^|\/)signalbox(@[^/]*)?(\.\w+)?$|(^|\/)signalbox\/(\w+\/)*\w+\.[cm]?[jt]s$/i;

/**
 * Whether a call names Signalbox's own data, or uses its client to decide: no allow rule covers that, so that no agent gets a token or approves its own
 * requests without anyone noticing. A guard, not a sandbox: what a program does with the files it may read is not seen.
 */
export function isGuarded({ subject, cwd }: Call, folders: readonly string[], real: RealPath): boolean {
  if (subject.kind === 'read' || subject.kind === 'edit') return pathsOf(subject).some((path) => isInside(path, cwd, folders, real));
  if (subject.kind !== 'command') return false;
  const where = real(subject.cwd ?? cwd, cwd);
  if (folders.some((folder) => isWithin(where, folder) || subject.command.includes(folder))) return true;
  return [...reachedBy(subject.command)].some((reached) => controls(reached) || names(reached, where, folders, real));
}

function controls({ words }: Reached): boolean {
  const at = words.findIndex(({ text }) => SIGNALBOX.test(text));
  return at >= 0 && words.slice(at + 1).some(({ text }) => CONTROLS.has(text));
}

function names({ words }: Reached, cwd: string, folders: readonly string[], real: RealPath): boolean {
  return words.some(({ text }) => valuesOf(text).some((value) => isInside(value, cwd, folders, real) || couldBecome(value, cwd, folders)));
}

/** `--file=x` and `-fx` name x too. */
const valuesOf = (text: string): string[] => [
  text,
  ...(text.includes('=') ? [text.slice(text.indexOf('=') + 1)] : []),
  ...(/^-\w./.test(text) ? [text.slice(2)] : []),
];

function isInside(path: string, cwd: string, folders: readonly string[], real: RealPath): boolean {
  return folders.some((folder) =>
    folder.startsWith('~') ? isWithin(path, folder) : [real(path, cwd), lexical(path, cwd)].some((whole) => isWithin(whole, folder)),
  );
}

/** Whether a shell could expand the word into one of the folders, or into something in it. */
function couldBecome(path: string, cwd: string, folders: readonly string[]): boolean {
  if (!/[*?[]/.test(path)) return false;
  const parts = lexical(path, cwd).split('/');
  return folders.some((folder) => {
    const names = folder.split('/');
    return parts.length >= names.length && names.every((name, at) => globFits(parts[at] ?? '', name));
  });
}

/** Reads `?` and `[…]` as `*`: rather too much than too little. */
const globFits = (glob: string, name: string): boolean => fits(piecesOf(glob.replaceAll(/\[[^\]]*\]|\?/g, '*')), name);
