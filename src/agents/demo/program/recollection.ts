import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf } from '../memory.ts';

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
}

export function openRecollection(folder: string, session: string, past: Past): Recollection | { readonly missing: string } {
  const file = join(folder, `${session}.jsonl`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (past.copyOf !== undefined) {
    const original = join(folder, `${past.copyOf}.jsonl`);
    if (!existsSync(original)) return { missing: past.copyOf };
    if (!existsSync(file)) copyFileSync(original, file);
  }
  if (past.mustExist && !existsSync(file)) return { missing: session };
  const add = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  if (!existsSync(file)) add({ type: 'session', id: session, cwd: process.cwd() });
  return recollect(linesOf(readFileSync(file, 'utf8')), add);
}

function recollect(lines: ReturnType<typeof linesOf>, add: (line: object) => void): Recollection {
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
