import { subjectOf } from '../../../../src/domain/permission/request-text.ts';
import { commandField } from '../../../../src/protocol/subject-fields.ts';
import { EDITABLE_NAMES } from '../request/file-changes.ts';
import type { Request } from '../request/request.ts';

type Input = Readonly<Record<string, unknown>>;

/** One editable text of the arguments. An empty `path` means all arguments, as JSON. */
export interface EditField {
  readonly path: readonly string[];
  readonly label: string;
  /** With plain line ends, as in a text area. */
  readonly text: string;
  /** The original line ends. */
  readonly lineEnd: '\n' | '\r\n';
}

export type Edited = { readonly input: Input } | { readonly problem: string };

/** What can be edited in a request: its command, the new text of its files, its plan; otherwise all arguments. */
export function editFields(request: Request, plan?: string): readonly EditField[] {
  const { input } = request;
  if (plan !== undefined) return [fieldOf(['plan'], 'Plan', plan)];
  const subject = subjectOf(request);
  const name = commandField(subject, input);
  if (subject.kind === 'command' && name !== undefined && hasUniformLineEnds(subject.command)) return [fieldOf([name], 'Command', subject.command)];
  const texts = subject.kind === 'edit' ? textFields(input) : [];
  return texts.length > 0 && texts.every(({ text }) => hasUniformLineEnds(text))
    ? texts.map(({ path, label, text }) => fieldOf(path, label, text))
    : [fieldOf([], 'Arguments (JSON)', JSON.stringify(input, null, 2))];
}

function fieldOf(path: readonly string[], label: string, text: string): EditField {
  return { path, label, text: text.replaceAll('\r\n', '\n'), lineEnd: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** A text area normalizes line ends. Text with mixed line ends is edited as JSON, where they are visible. */
const hasUniformLineEnds = (text: string): boolean => !text.includes('\r') || !/(?<!\r)\n|\r(?!\n)/.test(text);

/** The new texts of an edit, including those inside a list of edits. */
function textFields(value: unknown, path: readonly string[] = []): readonly Omit<EditField, 'lineEnd'>[] {
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

/** The arguments with the edited texts in place. */
export function withTexts(input: Input, fields: readonly EditField[], texts: readonly string[]): Edited {
  let next: unknown = input;
  for (const [at, field] of fields.entries()) {
    const text = texts[at] ?? field.text;
    if (field.path.length === 0) return fromJson(text);
    next = withText(next, field.path, text.replaceAll('\n', field.lineEnd));
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
    return { problem: `This is not valid JSON: ${error instanceof Error ? error.message : 'it can’t be read'}` };
  }
}

const isObject = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);
