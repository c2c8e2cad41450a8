import type { Kind } from './programs/program.ts';

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
