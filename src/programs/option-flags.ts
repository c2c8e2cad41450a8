import type { Adapter, AllowedFlag } from '../agents/port/adapter.ts';
import type { Refusal } from '../protocol/command.ts';

const MAX_FLAGS = 50;

/** A person's own flags, each joined to its value with `=`, or why one of them is refused. */
export function checkedFlags(adapter: Pick<Adapter, 'title' | 'allowedFlags'>, flags: readonly string[]): readonly string[] | Refusal {
  if (flags.length > MAX_FLAGS) return { refused: 'too-large', message: `"flags" can have at most ${MAX_FLAGS} entries.` };
  const checked: string[] = [];
  const left = [...flags];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [name, inlineValue] = split(word);
    const allowed = adapter.allowedFlags.find((flag) => flag.name === name);
    if (allowed === undefined) return refused(`The flag "${shown(name)}" can't be passed to ${adapter.title}. ${listOf(adapter.allowedFlags)}`);
    const value = allowed.value === undefined ? inlineValue : (inlineValue ?? left.shift());
    const problem = problemOf(allowed, value);
    if (problem !== undefined) return refused(problem);
    checked.push(value === undefined ? name : `${name}=${value}`);
  }
  return checked;
}

function split(word: string): readonly [name: string, value: string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function problemOf({ name, value: form }: AllowedFlag, value: string | undefined): string | undefined {
  if (form === undefined) return value === undefined ? undefined : `The flag ${name} takes no value.`;
  if (value === undefined) return `The flag ${name} needs a value: ${form.words}.`;
  return form.fits.test(value) ? undefined : `The flag ${name} takes ${form.words}, not "${shown(value)}".`;
}

function listOf(flags: readonly AllowedFlag[]): string {
  if (flags.length === 0) return 'It takes no flags.';
  return `Allowed are ${flags.map(({ name, value }) => (value === undefined ? name : `${name}=…`)).join(', ')}; most other things have an option of their own.`;
}

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
const refused = (message: string): Refusal => ({ refused: 'bad-request', message });
