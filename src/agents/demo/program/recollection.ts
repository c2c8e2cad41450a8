import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf, type Remembered } from '../memory.ts';

/** What the agent remembers of a conversation, in a file of its own. Each line is on its way to the disk before the agent speaks. */
export interface Recollection {
  /** How many inputs were ever taken: names of messages go on from here after a restart. */
  readonly turns: number;
  knows(inputId: string): boolean;
  /** Everything the person said, oldest first. */
  said(): readonly string[];
  took(inputId: string, text: string): void;
  answered(inputId: string, result: string): void;
}

interface Past {
  readonly mustExist: boolean;
  readonly copyOf: string | undefined;
  /** The message of ours after which to go on; what came later is forgotten. */
  readonly after: string | undefined;
}

export function openRecollection(folder: string, session: string, past: Past): Recollection | { readonly missing: string } {
  const file = join(folder, `${session}.jsonl`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const original = join(folder, `${past.copyOf ?? session}.jsonl`);
  if ((past.copyOf !== undefined || past.mustExist) && !existsSync(original)) return { missing: past.copyOf ?? session };
  const isFreshCopy = past.copyOf !== undefined && !existsSync(file);
  if (isFreshCopy || (past.copyOf === undefined && past.after !== undefined)) {
    const kept = upTo(linesOf(readFileSync(original, 'utf8')), past.after);
    if (kept === undefined) return { missing: `${past.copyOf ?? session}, message ${past.after}` };
    writeFileSync(file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  }
  const add = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  if (!existsSync(file)) add({ type: 'session', id: session });
  return recollect(linesOf(readFileSync(file, 'utf8')), add);
}

/** Messages are called `turn<n>:…`, n counting the inputs: everything up to the n-th stays. */
function upTo(lines: readonly Remembered[], after: string | undefined): readonly Remembered[] | undefined {
  if (after === undefined) return lines;
  const turn = Number(/^turn(\d+)/.exec(after)?.[1] ?? Number.NaN);
  const inputs = lines.filter((line) => line.type === 'user');
  if (!(turn >= 1 && turn <= inputs.length)) return undefined;
  const forgotten = new Set(inputs.slice(turn).map((line) => line.id));
  return lines.filter((line) => line.type === 'session' || !forgotten.has(line.id));
}

function recollect(lines: readonly Remembered[], add: (line: object) => void): Recollection {
  const inputs = lines.flatMap((line) => (line.type === 'user' ? [{ id: String(line.id), text: String(line.text) }] : []));
  return {
    get turns() {
      return inputs.length;
    },
    knows: (inputId) => inputs.some((input) => input.id === inputId),
    said: () => inputs.map((input) => input.text),
    took(id, text) {
      inputs.push({ id, text });
      add({ type: 'user', id, text });
    },
    answered: (id, text) => add({ type: 'answered', id, text }),
  };
}
