import { argumentsObstacle, couldBeOption, type Known } from './arguments.ts';
import type { Command, Word } from './line.ts';
import { readOptions } from './options.ts';
import { isWithin } from './paths.ts';
import { anyPartObstacle } from './place.ts';
import { PROGRAMS } from './programs/index.ts';
import type { Program } from './programs/program.ts';
import { ALIASES, list, NEVER, WRAPPER_FAMILIES, WRAPPERS } from './wrappers.ts';

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
  if (program === 'find' && others.some(({ text }) => FIND_ACTIONS.includes(text))) return '"find" can run, delete or write here (-exec, -delete, -fprint …)';
  return undefined;
}

const FIND_ACTIONS = list('-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls');

/** Why a wildcard must not cover a command, though an exact pattern can: it could do something that nobody has listed as safe. */
export function obstacleIn(command: Command, known: Known = {}): string | undefined {
  const [name, ...others] = command;
  const program = programOf(name.text);
  if (isWrapper(program)) return wrapperObstacle(name);
  if (known.place !== undefined && !isWithin(known.place.cwd, known.place.folder)) return "it runs outside the session's folder";
  if (program === 'sed') return isSafeSed(others) ? sedFilesObstacle(others, known) : '"sed" can write files and run commands';
  const listed = PROGRAMS.get(program);
  const why = listed === undefined ? unlistedObstacle(others, known) : listedObstacle(program, others, listed, known);
  return why === undefined ? undefined : `a wildcard can't cover "${program}" here: ${why}`;
}

/** Why no command that starts with these words can be covered by a wildcard after them. For sed, nothing is known until its script is. */
export function startObstacle(command: Command): string | undefined {
  return programOf(command[0].text) === 'sed' ? undefined : obstacleIn(command, { spelled: new Set(command), isStart: true });
}

/** Why a program's name alone rules out a wildcard. */
export function wrapperObstacle({ text }: Word): string | undefined {
  const program = programOf(text);
  return isWrapper(program) ? `"${program}" can run or change anything, depending on its arguments` : undefined;
}

export const isWrapper = (program: string): boolean => WRAPPERS.has(program) || NEVER.has(program) || WRAPPER_FAMILIES.test(program);

/** Only printing lines by number is safe: anything more is a program in sed's own language. */
function isSafeSed([first, second, ...files]: readonly Word[]): boolean {
  return first?.text === '-n' && /^\d+(,(\d+|\$))?p$/.test(second?.text ?? '') && files.every((file) => !file.text.startsWith('-') && !couldBeOption(file));
}

const sedFilesObstacle = (words: readonly Word[], known: Known): string | undefined => argumentsObstacle(words.slice(2), { args: ['path'] }, known);

function listedObstacle(program: string, words: readonly Word[], { globals = '', commands, ...own }: Program, known: Known): string | undefined {
  if (commands === undefined) return argumentsObstacle(words, own, known);
  const before = readOptions(globals);
  const start = words.findIndex(({ text }) => before.get(text)?.value !== 'none');
  const rest = start < 0 ? [] : words.slice(start);
  const [first, second] = rest.map(({ text }) => text);
  const found = [`${first} ${second}`, first?.startsWith('-') ? '' : (first ?? '')].find((name) => Object.hasOwn(commands, name));
  const grammar = found === undefined ? undefined : commands[found];
  if (found !== undefined && grammar !== undefined) return argumentsObstacle(rest.slice(found.split(' ').filter(Boolean).length), grammar, known);
  if (own.args !== undefined) return argumentsObstacle(words, own, known);
  const isBegun = rest.length < 2 && Object.keys(commands).some((name) => first === undefined || name.startsWith(`${first} `));
  if (known.isStart && isBegun) return undefined;
  return first === undefined ? 'without arguments it can change something' : `"${program} ${first}" is not one of the subcommands known to be safe`;
}

/** Of an unlisted program only so much is known: what leads out of the folder, and options that load code wherever they exist. */
function unlistedObstacle(words: readonly Word[], known: Known): string | undefined {
  for (const word of words) {
    if (/^-*@[^/]*$|^@/.test(word.text)) return `"${word.text}" can be a file with more arguments`;
    if (LOADS.test(word.text)) return `"${word.text}" can load other code or write elsewhere`;
    const why = known.spelled?.has(word) ? undefined : anyPartObstacle(word, known.place);
    if (why !== undefined) return why;
  }
  return undefined;
}

const LOADS =
  /^--?([a-z-]*-)?(require|import|loader?|plugins?|preset|config(-?file|-?path|uration)?|(global-?)?set-?up(-?files?)?|exec(ute)?|eval|command|cmd|hook|shell|script|init-?script|runner|reporters?|resolver|transform|registry|proxy|https-proxy|rc-?file|root-?dir|cwd|directory|out(put)?(-?(file|dir))?)([=.]|$)/i;
