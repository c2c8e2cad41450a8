import type { Refusal } from '../protocol/command.ts';
import type { SessionOptions } from '../protocol/session.ts';

/** Options are passed on the agent's command line, where Linux allows 128 kB per argument and 2 MB in total. */
const MAX_WORD_BYTES = 100_000;
const MAX_ALL_BYTES = 1_000_000;
const MAX_LIST = 500;

/** Why options can't be passed on a command line; undefined when they can. */
export function optionSizeProblem(options: SessionOptions): Refusal | undefined {
  const { env: _, ...rest } = options;
  const words = Object.entries(rest).flatMap(([name, value]) => wordsOf(value).map((word) => [name, word] as const));
  const long = words.find(([, word]) => Buffer.byteLength(word) > MAX_WORD_BYTES);
  if (long !== undefined) return tooLarge(`"${long[0]}" can have at most ${MAX_WORD_BYTES} bytes, because it goes on the agent’s command line.`);
  const full = Object.entries(rest).find(([, value]) => Array.isArray(value) && value.length > MAX_LIST);
  if (full !== undefined) return tooLarge(`"${full[0]}" can have at most ${MAX_LIST} entries.`);
  const all = words.reduce((sum, [, word]) => sum + Buffer.byteLength(word), 0);
  if (all > MAX_ALL_BYTES) return tooLarge(`All options together can have at most ${MAX_ALL_BYTES} bytes, because they go on the agent’s command line.`);
  const withZero = words.find(([, word]) => word.includes('\0'));
  return withZero === undefined ? undefined : { refused: 'bad-request', message: `"${withZero[0]}" contains a zero byte, which a command line can't carry.` };
}

const wordsOf = (value: unknown): readonly string[] => [value].flat().filter((word): word is string => typeof word === 'string');
const tooLarge = (message: string): Refusal => ({ refused: 'too-large', message });
