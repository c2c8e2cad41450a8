/** JSON as a person wrote it: edits change only the bytes that they are about. */

export class JsonProblem extends Error {
  override readonly name = 'JsonProblem';
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export type JsonNode = Span &
  (
    | { readonly kind: 'object'; readonly members: readonly Member[] }
    | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
    | { readonly kind: 'other'; readonly value: unknown }
  );

interface Member extends Span {
  readonly key: string;
  readonly value: JsonNode;
}

/** Throws `JsonProblem`, which names the line. */
export function readJson(text: string): JsonNode {
  const scanner = new Scanner(text, text.startsWith('\uFEFF') ? 1 : 0);
  const root = scanner.value();
  scanner.end();
  return root;
}

/** The last one counts, as for every JSON reader. */
export const memberOf = (node: JsonNode | undefined, key: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.members.findLast((member) => member.key === key)?.value : undefined;

export const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

/** Far deeper than any settings file; deeper text is not one. */
const DEPTH = 200;
const TOKEN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\r\n]|\\.)*"/y;

class Scanner {
  private depth = 0;

  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  value(): JsonNode {
    this.skip(SPACE);
    const start = this.at;
    const next = this.text[start];
    if (next === '{') return this.nested(() => ({ kind: 'object', start, members: this.list('}', () => this.member()), end: this.at }));
    if (next === '[') return this.nested(() => ({ kind: 'array', start, items: this.list(']', () => this.value()), end: this.at }));
    const token = next === '"' ? this.skip(STRING) : this.skip(TOKEN);
    if (token === '') throw this.problem('a value is missing or not valid');
    return { kind: 'other', start, end: this.at, value: this.parsed(token) };
  }

  end(): void {
    this.skip(SPACE);
    if (this.at < this.text.length) throw this.problem('something follows after the end');
  }

  private nested(read: () => JsonNode): JsonNode {
    this.depth += 1;
    if (this.depth > DEPTH) throw this.problem('it is nested too deeply');
    const node = read();
    this.depth -= 1;
    return node;
  }

  private member(): Member {
    this.skip(SPACE);
    const start = this.at;
    const key = this.skip(STRING);
    if (key === '') throw this.problem('a name in double quotes is missing');
    this.skip(SPACE);
    if (this.text[this.at] !== ':') throw this.problem('":" is missing');
    this.at += 1;
    const value = this.value();
    return { start, key: String(this.parsed(key)), value, end: value.end };
  }

  private list<T>(close: string, read: () => T): readonly T[] {
    const found: T[] = [];
    this.at += 1;
    this.skip(SPACE);
    if (this.text[this.at] === close) {
      this.at += 1;
      return found;
    }
    for (;;) {
      found.push(read());
      this.skip(SPACE);
      const next = this.text[this.at];
      if (next !== ',' && next !== close) throw this.problem(`"," or "${close}" is missing`);
      this.at += 1;
      if (next === close) return found;
    }
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  private parsed(token: string): unknown {
    try {
      return JSON.parse(token);
    } catch {
      throw this.problem('a string is not valid');
    }
  }

  private problem(message: string): JsonProblem {
    return new JsonProblem(lineAt(this.text, this.at), message);
  }
}

/** What was inserted, so that it can be cut out again. */
export interface Insertion {
  readonly text: string;
  readonly piece: string;
}

/** Adds `entry` at the end of the list at `[outer, inner]`, in the style of the file. Throws `JsonProblem` if something else is there. */
export function insertEntry(text: string, [outer, inner]: readonly [string, string], entry: object): Insertion {
  const root = readJson(text);
  if (root.kind !== 'object') throw new JsonProblem(lineAt(text, root.start), 'the file is not a JSON object');
  const style = styleOf(text);
  const group = memberOf(root, outer);
  if (group === undefined) return insertInto(text, root, style, 1, `${JSON.stringify(outer)}: ${written({ [inner]: [entry] }, style, 1)}`);
  if (group.kind !== 'object') throw new JsonProblem(lineAt(text, group.start), `"${outer}" is not an object`);
  const list = memberOf(group, inner);
  if (list === undefined) return insertInto(text, group, style, 2, `${JSON.stringify(inner)}: ${written([entry], style, 2)}`);
  if (list.kind !== 'array') throw new JsonProblem(lineAt(text, list.start), `"${outer}.${inner}" is not a list`);
  return insertInto(text, list, style, 3, written(entry, style, 3));
}

interface Style {
  readonly newline: string;
  readonly unit: string;
}

function styleOf(text: string): Style {
  const [, newline = '\n', unit = '  '] = /\{(\r?\n)([ \t]+)"/.exec(text) ?? [];
  return { newline: text.includes('\r\n') ? '\r\n' : newline, unit };
}

const written = (value: object, { newline, unit }: Style, depth: number): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${unit.repeat(depth)}`);

function insertInto(text: string, node: JsonNode, { newline, unit }: Style, depth: number, content: string): Insertion {
  const children: readonly Span[] = node.kind === 'object' ? node.members : node.kind === 'array' ? node.items : [];
  const last = children.at(-1);
  const inner = `${newline}${unit.repeat(depth)}${content}`;
  const piece = last === undefined ? `${inner}${newline}${unit.repeat(depth - 1)}` : `,${inner}`;
  const at = last === undefined ? node.start + 1 : last.end;
  return { text: text.slice(0, at) + piece + text.slice(at), piece };
}

/** Cuts out the entries that `isOurs`, and the lists and the group that are empty without them. */
export function removeEntries(text: string, outer: string, isOurs: (entry: string) => boolean): string {
  for (;;) {
    const group = memberOf(readJson(text), outer);
    if (group?.kind !== 'object') return text;
    const next = removeOne(text, outer, group, isOurs);
    if (next === undefined) return text;
    text = next;
  }
}

function removeOne(text: string, outer: string, group: Extract<JsonNode, { kind: 'object' }>, isOurs: (entry: string) => boolean): string | undefined {
  for (const member of group.members) {
    if (member.value.kind !== 'array') continue;
    const { items } = member.value;
    const ours = items.find((item) => isOurs(text.slice(item.start, item.end)));
    if (ours === undefined) continue;
    if (items.length > 1) return cutChild(text, items, ours);
    if (group.members.length > 1) return cutChild(text, group.members, member);
    const root = readJson(text);
    const rootMembers = root.kind === 'object' ? root.members : [];
    const whole = rootMembers.find((one) => one.key === outer);
    return whole && cutChild(text, rootMembers, whole);
  }
  return undefined;
}

/** With the comma that separated it from its neighbor. */
function cutChild(text: string, all: readonly Span[], child: Span): string {
  const index = all.indexOf(child);
  const before = all[index - 1];
  const after = all[index + 1];
  if (before !== undefined) return text.slice(0, before.end) + text.slice(child.end);
  return text.slice(0, child.start) + text.slice(after === undefined ? child.end : after.start);
}
