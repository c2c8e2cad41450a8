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

export interface Option {
  readonly value: 'none' | 'required' | 'attached';
  readonly kind: Kind;
}

/**
 * Reads a list of options: `--all` and `-a` take no value (`-abc` are three), `--max=` and `-n=` take one, `--color[=]` takes one only if it is attached.
 * What the value may be can follow: `=text`, `=expression`, `=one|two`. `-#` is a number as an option (`-20`).
 */
export function readOptions(text: string): ReadonlyMap<string, Option> {
  const options = new Map<string, Option>();
  for (const token of text.split(/\s+/)) {
    const [, name, sign, kind = ''] = /^(-[^=[]+)(?:(=|\[=)([^\]]*)\]?)?$/.exec(token) ?? [];
    if (name === undefined) continue;
    const option: Option = { value: sign === undefined ? 'none' : sign === '=' ? 'required' : 'attached', kind: kindOf(kind) };
    for (const each of namesOf(name, sign)) options.set(each, option);
  }
  return options;
}

function namesOf(name: string, sign: string | undefined): readonly string[] {
  return name.startsWith('--') || sign !== undefined ? [name] : [...name.slice(1)].map((letter) => `-${letter}`);
}

function kindOf(text: string): Kind {
  if (text === '') return 'path';
  if (text === 'text' || text === 'ref' || text === 'name') return text;
  if (text === 'expression') return EXPRESSION;
  return new RegExp(`^(${text})$`);
}

/** Words, brackets, and, or, not: nothing else, because older versions of pytest evaluate it as Python. */
const EXPRESSION = /^(?!.*__)[\w .:[\]()-]+$/;
