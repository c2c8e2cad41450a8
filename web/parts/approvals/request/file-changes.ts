import { lineDiff } from '../../diff/line-diff.ts';
import { additions, type DiffLine, fullPatch } from '../../diff/patch.ts';

type Input = Readonly<Record<string, unknown>>;

/** The change to one file, as far as the arguments say. */
export interface FileChange {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  readonly note?: string;
}

export interface Changes {
  readonly changes: readonly FileChange[];
  /** The arguments that no change shows. */
  readonly rest: Input;
}

// Argument names by meaning: different agents use different names for the same thing.
const OLD = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text'];
const NEW = ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'new_source'];
const CONTENT = ['content', 'contents', 'file_text', 'text'];
const PATCH = ['patch', 'diff'];
const PATH = ['file_path', 'filePath', 'path', 'notebook_path', 'file'];
const SEVERAL = ['edits', 'changes', 'files'];

/** The changes that an edit request asks for, in the files its subject names; none when its arguments can't be read as changes. */
export function changesOf(paths: readonly string[], input: Input): Changes {
  const [own, ...others] = paths;
  if (own === undefined) return { changes: [], rest: input };
  const list = SEVERAL.find((name) => Array.isArray(input[name]));
  if (list !== undefined) return severalChanges(paths, own, list, input);
  const read = oneChange(own, input);
  // With several files it is unclear which of them a single change is for.
  if (read === undefined || others.length > 0) return { changes: [], rest: input };
  return { changes: [read.change], rest: without(input, read.shown) };
}

function severalChanges(paths: readonly string[], own: string, list: string, input: Input): Changes {
  const parts: readonly unknown[] = Array.isArray(input[list]) ? input[list] : [];
  const read = parts.map((part) => (isObject(part) ? partChange(paths, own, part) : undefined));
  const changes = read.flatMap((each) => each?.change ?? []);
  if (changes.length === 0) return { changes, rest: input };
  const rests = parts.flatMap((part, at) => {
    const left = isObject(part) ? without(part, read[at]?.shown ?? []) : part;
    return isObject(left) && read[at] !== undefined && Object.keys(left).length === 0 ? [] : [[`${list} ${at + 1}`, left] as const];
  });
  const rest = without(input, [list, ...pathName(own, input)]);
  return { changes: joined(changes), rest: { ...rest, ...Object.fromEntries(rests) } };
}

interface ReadChange {
  readonly change: FileChange;
  /** The names of the arguments that it shows. */
  readonly shown: readonly string[];
}

/** A part may name its own file, but that counts only if the subject names it too. */
function partChange(paths: readonly string[], own: string, part: Input): ReadChange | undefined {
  const named = textOf(part, PATH);
  return oneChange(named !== undefined && paths.includes(named) ? named : own, part);
}

function oneChange(path: string, input: Input): ReadChange | undefined {
  const [before, after, content, patch] = [OLD, NEW, CONTENT, PATCH].map((names) => nameOf(input, names));
  const at = pathName(path, input);
  const text = (name: string): string => String(input[name]);
  if (patch !== undefined) return { change: { path, lines: fullPatch(text(patch)) }, shown: [...at, patch] };
  if (after !== undefined && before !== undefined) {
    const everywhere = input.replace_all === true;
    const change = { path, lines: lineDiff(text(before), text(after)), ...(everywhere && { note: 'everywhere in the file' }) };
    return { change, shown: [...at, before, after, ...(typeof input.replace_all === 'boolean' ? ['replace_all'] : [])] };
  }
  const name = after ?? content;
  if (name === undefined) return undefined;
  const note = name === content ? 'full content' : 'new text; the request doesn’t say what it replaces';
  return { change: { path, lines: additions(text(name)), note }, shown: [...at, name] };
}

const pathName = (path: string, input: Input): readonly string[] => PATH.filter((name) => input[name] === path).slice(0, 1);

/** Several edits of one file are one change, in which each starts with its number. */
function joined(changes: readonly FileChange[]): readonly FileChange[] {
  const paths = [...new Set(changes.map(({ path }) => path))];
  return paths.map((path) => {
    const parts = changes.filter((change) => change.path === path);
    const [first] = parts;
    if (parts.length === 1 && first !== undefined) return first;
    return { path, lines: parts.flatMap(({ lines, note }, at) => [headOf(at, note), ...lines]) };
  });
}

const headOf = (at: number, note: string | undefined): DiffLine => ({ kind: 'hunk', text: note === undefined ? `edit ${at + 1}` : `edit ${at + 1}, ${note}` });

const isObject = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (input: Input, names: readonly string[]): Input => Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));

/** The first of the names that has a text. */
const nameOf = (input: Input, names: readonly string[]): string | undefined => names.find((name) => typeof input[name] === 'string');

function textOf(input: Input, names: readonly string[]): string | undefined {
  const name = nameOf(input, names);
  return name === undefined ? undefined : String(input[name]);
}

/** The arguments of an edit that a person may want to change. */
export const EDITABLE_NAMES: readonly string[] = [...NEW, ...CONTENT];
