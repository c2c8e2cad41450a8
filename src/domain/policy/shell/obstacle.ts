import type { Command, Word } from './line.ts';
import { DISCARDS_WORK, GIT_LETTERS, HARMLESS_GIT, PROGRAMS, type Program } from './programs.ts';
import { ALIASES, NEVER, WRAPPER_FAMILIES, WRAPPERS } from './wrappers.ts';

/** A program's name without its folder and version: `/usr/bin/python3.11` is `python`, and `fdfind` is `fd`. */
export function programOf(name: string): string {
  const file = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  if (isKnown(file)) return file;
  const plain = file.replace(/\.exe$/, '').replace(/[-.\d]+$/, '');
  return ALIASES.get(file) ?? ALIASES.get(plain) ?? (plain === '' ? file : plain);
}

const isKnown = (file: string): boolean => NEVER.has(file) || WRAPPERS.has(file) || PROGRAMS.has(file);

/** Why no allow rule can cover a command at all. */
export function hiddenIn([name, ...others]: Command): string | undefined {
  const program = programOf(name.text);
  if (NEVER.has(program)) return `"${program}" runs things that its arguments do not show`;
  if (program === 'env' && others.length > 0) return '"env" sets variables for another command';
  if (program === 'find' && others.some(({ text }) => isFindAction(text))) return '"find" can run, delete or write here (-exec, -delete, -fprint …)';
  return undefined;
}

const isFindAction = (text: string): boolean => PROGRAMS.get('find')?.words?.includes(text) === true;

/** Why a wildcard must not cover a command, though an exact pattern can: it could run other programs or write anywhere. */
export function obstacleIn(command: Command): string | undefined {
  const [name, ...others] = command;
  const program = programOf(name.text);
  if (isWrapper(program)) return wrapperObstacle(name);
  if (program === 'sed') return isSafeSed(others) ? undefined : '"sed" can write files and run commands';
  const known = PROGRAMS.get(program);
  if (known === undefined) return undefined;
  if (others.some(couldBeOption)) return `a glob could become an option of "${program}"`;
  if (program === 'git') return gitObstacle(others, known);
  return subcommandObstacle(program, others, known) ?? optionObstacle(program, others, known);
}

/** Why a program's name alone rules out a wildcard. */
export function wrapperObstacle({ text }: Word): string | undefined {
  const program = programOf(text);
  return isWrapper(program) ? `"${program}" can run or change anything, depending on its arguments` : undefined;
}

export const isWrapper = (program: string): boolean => WRAPPERS.has(program) || NEVER.has(program) || WRAPPER_FAMILIES.test(program);

/** A file can be named like an option. */
const couldBeOption = ({ text, live }: Word): boolean => live.some((at) => '*?['.includes(text[at] ?? '') && (at === 0 || text.startsWith('-')));

/** Only printing lines by number is safe: anything more is a program in sed's own language. */
function isSafeSed([first, second, ...files]: readonly Word[]): boolean {
  return first?.text === '-n' && /^\d+(,(\d+|\$))?p$/.test(second?.text ?? '') && files.every((file) => !file.text.startsWith('-') && !couldBeOption(file));
}

const SAFE_GLOBALS = new Set(['--no-pager', '-P', '--no-optional-locks', '--version', '--literal-pathspecs']);

function gitObstacle(others: readonly Word[], known: Program): string | undefined {
  const at = others.findIndex(({ text }) => !SAFE_GLOBALS.has(text));
  const [subcommand, ...rest] = at < 0 ? [] : others.slice(at);
  if (subcommand === undefined) return undefined;
  if (!HARMLESS_GIT.has(subcommand.text)) return `"git ${subcommand.text}" can run other programs, reach other repositories, or discard work`;
  if (subcommand.text === 'checkout' && rest.some(({ text }) => DISCARDS_WORK.has(text))) return '"git checkout" of files discards work';
  if (subcommand.text === 'reset' && rest.some(({ text }) => isAbbreviation(plainName(text), 'merge') && text.startsWith('--')))
    return '"git reset --merge" discards work';
  const letters = [...(GIT_LETTERS.get(subcommand.text) ?? '')];
  return optionObstacle('git', rest, { ...known, options: [...(known.options ?? []), ...letters] });
}

function subcommandObstacle(program: string, others: readonly Word[], { safe, neverAlone }: Program): string | undefined {
  const [first, second] = others;
  if (neverAlone && first === undefined) return `"${program}" without arguments changes more than it shows`;
  if (safe === undefined || first === undefined) return undefined;
  if (safe.includes(first.text) || safe.includes(`${first.text} ${second?.text ?? ''}`)) return undefined;
  return `"${program} ${first.text}" can run other programs or change more than its arguments show`;
}

function optionObstacle(program: string, others: readonly Word[], known: Program): string | undefined {
  const dashes = known.endsAtDashes ? others.findIndex(({ text }) => text === '--') : -1;
  const own = dashes < 0 ? others : others.slice(0, dashes);
  const found = own.find(({ text }) => isDangerous(text, known));
  if (found !== undefined) return `"${program} … ${found.text}" can run other programs, write files, or discard work`;
  return known.most === undefined ? undefined : tooMany(program, others, known.most);
}

/** After `--` everything is a plain argument, and a glob can become any number of them. */
function tooMany(program: string, others: readonly Word[], most: number): string | undefined {
  if (others.some(({ live }) => live.length > 0)) return `a glob could give "${program}" a file to write to`;
  const end = others.findIndex(({ text }) => text === '--');
  const plain = others.filter(({ text }, at) => (end >= 0 && at > end) || !text.startsWith('-') || text === '-').length;
  return plain > most ? `"${program}" with this many arguments changes something` : undefined;
}

function isDangerous(text: string, { options = [], words = [], form }: Program): boolean {
  if (words.includes(text) || form?.test(text)) return true;
  if (!text.startsWith('-')) return false;
  const name = plainName(text);
  // Some programs read `-prefix` and `---prefix` as `--prefix`.
  const isNamed =
    (text.startsWith('--') ? name.length > 0 : name.length > 1) && options.some((option) => isLong(option) && isAbbreviation(name, plainName(option)));
  return isNamed || (!text.startsWith('--') && options.some((option) => !isLong(option) && text.slice(1).includes(option)));
}

/** `--rootDir`, `--root-dir` and `-root-dir=x` are one option. */
function plainName(text: string): string {
  const [name = ''] = text.replace(/^-+/, '').split('=', 1);
  return name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
}

const isLong = (option: string): boolean => option.startsWith('--');

/** `--out=x` means `--output=x`; a longer name, like `--force-with-lease`, is as dangerous as the option it starts with. */
const isAbbreviation = (name: string, option: string): boolean => option.startsWith(name) || name.startsWith(`${option}-`) || name.startsWith(`${option}.`);
