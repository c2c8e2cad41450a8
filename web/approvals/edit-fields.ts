import { EDITABLE_NAMES } from './file-changes.ts';
import { type Request, subjectOf } from './request.ts';

type Input = Readonly<Record<string, unknown>>;

/** One text of the arguments that a person may change. An empty `path` stands for all of them, as JSON. */
export interface EditField {
  readonly path: readonly string[];
  readonly label: string;
  readonly text: string;
}

export type Edited = { readonly input: Input } | { readonly problem: string };

/** What of a request is worth changing in place: its command, the new text of its files, its plan; otherwise all arguments. */
export function editFields(request: Request, plan?: string): readonly EditField[] {
  const { input } = request;
  if (plan !== undefined) return [{ path: ['plan'], label: 'Plan', text: plan }];
  const subject = subjectOf(request);
  if (subject.kind === 'command') {
    const name = Object.keys(input).find((key) => input[key] === subject.command);
    if (name !== undefined) return [{ path: [name], label: 'Command', text: subject.command }];
  }
  const texts = subject.kind === 'edit' ? textFields(input) : [];
  return texts.length > 0 ? texts : [{ path: [], label: 'Arguments (JSON)', text: JSON.stringify(input, null, 2) }];
}

/** New texts of an edit, also inside of a list of edits. */
function textFields(value: unknown, path: readonly string[] = []): readonly EditField[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = [...path, name];
    if (typeof part === 'string') return EDITABLE_NAMES.includes(name) ? [{ path: here, label: labelOf(here), text: part }] : [];
    return textFields(part, here);
  });
}

function labelOf(path: readonly string[]): string {
  const number = path.map(Number).find((step) => Number.isInteger(step));
  const what = path.at(-1)?.startsWith('new') === true ? 'New text' : 'Content';
  return number === undefined ? what : `${what}, edit ${number + 1}`;
}

/** The arguments with the changed texts in their places. */
export function withTexts(input: Input, fields: readonly EditField[], texts: readonly string[]): Edited {
  let next: unknown = input;
  for (const [at, field] of fields.entries()) {
    const text = texts[at] ?? field.text;
    if (field.path.length === 0) return fromJson(text);
    next = withText(next, field.path, text);
  }
  return isObject(next) ? { input: next } : { problem: 'The arguments are no longer an object.' };
}

function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value)) return value.map((part, at) => (String(at) === name ? withText(part, rest, text) : part));
  return isObject(value) ? { ...value, [name]: withText(value[name], rest, text) } : value;
}

function fromJson(text: string): Edited {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { input: value } : { problem: 'The arguments must be an object: { … }.' };
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}` };
  }
}

const isObject = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);
