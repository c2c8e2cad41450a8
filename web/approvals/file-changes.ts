import { lineDiff } from '../diff/line-diff.ts';
import { additions, type DiffLine, parsePatch } from '../diff/patch.ts';

type Input = Readonly<Record<string, unknown>>;

/** What would happen to one file, as far as the arguments tell it. */
export interface FileChange {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  readonly note?: string;
}

// The arguments of different agents, by what they hold: the same thing has several names in the wild.
const OLD = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text'];
const NEW = ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'new_source'];
const WHOLE = ['content', 'contents', 'file_text', 'text'];
const PATCH = ['patch', 'diff'];
const PATH = ['file_path', 'filePath', 'path', 'notebook_path', 'file'];
const SEVERAL = ['edits', 'changes', 'files'];

/** The changes that a request for an edit asks for; none when its arguments cannot be read as changes. */
export function changesOf(paths: readonly string[], input: Input): readonly FileChange[] {
  const parts = SEVERAL.map((name) => input[name]).find(Array.isArray);
  const own = textOf(input, PATH) ?? paths[0] ?? '';
  const found = parts === undefined ? [oneChange(own, input)] : parts.filter(isObject).map((part) => oneChange(textOf(part, PATH) ?? own, part));
  return joined(found.filter((change) => change !== undefined));
}

function oneChange(path: string, input: Input): FileChange | undefined {
  const [before, after, whole, patch] = [textOf(input, OLD), textOf(input, NEW), textOf(input, WHOLE), textOf(input, PATCH)];
  if (patch !== undefined) return { path, lines: parsePatch(patch) };
  if (after !== undefined) return { path, lines: lineDiff(before ?? '', after), ...(input.replace_all === true && { note: 'everywhere in the file' }) };
  return whole === undefined ? undefined : { path, lines: additions(whole), note: 'the whole file' };
}

/** Several edits of one file are one change with a gap between them. */
function joined(changes: readonly FileChange[]): readonly FileChange[] {
  const byPath = new Map<string, FileChange>();
  for (const change of changes) {
    const known = byPath.get(change.path);
    const gap: DiffLine = { kind: 'hunk', text: 'and further' };
    byPath.set(change.path, known === undefined ? change : { ...known, lines: [...known.lines, gap, ...change.lines] });
  }
  return [...byPath.values()];
}

const isObject = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first of the names under which there is a text. */
export function textOf(input: Input, names: readonly string[]): string | undefined {
  const found = names.map((name) => input[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : undefined;
}

/** The names under which an edit keeps what a person may want to change. */
export const EDITABLE_NAMES: readonly string[] = [...NEW, ...WHOLE];
