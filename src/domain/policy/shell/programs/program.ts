/** What an argument or an option's value may be. Except for `text`, none may lead out of the folder or name an address. */
export type Kind =
  /** A path or any other word. Not `@file`, from which some programs read more arguments. */
  | 'path'
  /** A path or a revision of git's. Not pathspec magic (`:/`, `:(top)`), which leads out of the folder. */
  | 'ref'
  /** A plain word, for programs that are not known: no `=`, no blanks, nothing a shell or another program would read twice. */
  | 'name'
  /** Where code comes from. Only the pattern of a rule can name it, never its wildcard. */
  | 'remote'
  /** Never read as a path or an option: a message, a search pattern. */
  | 'text'
  | RegExp;

/** The arguments that a wildcard can cover. Everything that is not listed is asked about. */
export interface Grammar {
  /** See `readOptions`. */
  readonly options?: string;
  /** What plain arguments are; the last entry also stands for all further ones. Unset: there are none. */
  readonly args?: readonly Kind[];
  /** With one of these options, the first entry of `args` is not an argument: `grep -e pattern file`. */
  readonly replacesFirst?: readonly string[];
  /** Every argument is text, even if it looks like an option. */
  readonly onlyText?: true;
  /** Options are whole words after one dash or two: `-name`, `-run=x`. */
  readonly style?: 'words';
  readonly most?: number;
  /** One of these options or arguments must be there. */
  readonly needs?: readonly string[];
  /** No option of the program can do harm, so a glob may become one. */
  readonly anyGlob?: true;
  /** The program passes on what follows `--`. */
  readonly after?: Grammar;
  /** The program passes on everything after this many plain arguments, options included. */
  readonly passesOnAfter?: number;
  /** Why the forms that are not listed are asked about. */
  readonly why?: string;
}

/** The forms of a program that a wildcard can cover. */
export interface Program extends Grammar {
  /** Its subcommands, of one word or two; `''` for a call without one. Any other is asked about. */
  readonly commands?: Readonly<Record<string, Grammar>>;
  /** Options before the subcommand that change nothing about it. */
  readonly globals?: string;
}

/** The same grammar for several names. */
export const each = <T>(names: string, value: T): Record<string, T> => Object.fromEntries(names.split(/\s+/).map((name) => [name, value]));
