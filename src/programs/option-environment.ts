import type { Adapter } from '../agents/port/adapter.ts';
import type { Refusal } from '../protocol/command.ts';
import { REFUSED_FAMILIES } from './refused-variables.ts';

const MAX_VARIABLES = 200;
/** Linux allows 128 kB for one variable with its name. */
const MAX_VALUE_BYTES = 100_000;

/** Why a session can't have these variables; undefined when it can. Names are compared case-insensitively, because some programs read them that way. */
export function refusedEnv(adapter: Pick<Adapter, 'title' | 'refusedEnv'>, env: Readonly<Record<string, string>>): Refusal | undefined {
  const variables = Object.entries(env);
  if (variables.length > MAX_VARIABLES) return { refused: 'too-large', message: `"env" can have at most ${MAX_VARIABLES} variables.` };
  for (const [name, value] of variables) {
    const problem = problemOf(adapter, name, value);
    if (problem !== undefined) return { refused: 'bad-request', message: problem };
  }
  return undefined;
}

function problemOf(adapter: Pick<Adapter, 'title' | 'refusedEnv'>, name: string, value: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    return `"${name.slice(0, 60)}" is not a variable name. Use letters, digits and "_", and don't start with a digit.`;
  const family = REFUSED_FAMILIES.find(({ names }) => names.some((pattern) => pattern.test(name)));
  if (family !== undefined) return `The variable ${name} can't be set for a session: ${family.because}.`;
  if (adapter.refusedEnv?.some((pattern) => pattern.test(name)))
    return `The variable ${name} can't be set for a session: it changes what ${adapter.title} itself does.`;
  if (value.includes('\0') || Buffer.byteLength(value) > MAX_VALUE_BYTES) return `The value of ${name} has a zero byte or more than ${MAX_VALUE_BYTES} bytes.`;
  return undefined;
}
