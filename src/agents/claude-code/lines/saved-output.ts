import { isObject } from '../../formats/shape.ts';

/** What the CLI gives the model instead of a long output: its path and a preview of 2 KB (2.1.197 and 2.1.325, over 30,000 characters). */
const SAVED = /^<persisted-output>\n[^\n]*Full output saved to: ([^\n]+)\n\n[^\n]*\n([\s\S]*?)\n?(?:\.\.\.\n)?<\/persisted-output>\s*$/;

/** The folder in which the CLI saves outputs. A text that only looks like the CLI's must not make us read any other file. */
const OWN_FILE = /^\/(?:[^/]+\/)*projects\/[^/]+\/[0-9a-f-]{36}\/tool-results\/[\w-]+\.(?:txt|json)$/;

interface SavedOutput {
  /** As much of it as was printed, and where the rest is. */
  readonly output: string;
  readonly file?: string;
}

/** A long output that the CLI saved; undefined for every other. The structured result has up to 30,000 characters of it, but is missing in subagents. */
export function savedOutputOf(printed: string, details: unknown): SavedOutput | undefined {
  const [, path, preview] = SAVED.exec(printed) ?? [];
  if (path === undefined || preview === undefined) return undefined;
  const head = headOf(details) ?? preview;
  const isOwn = OWN_FILE.test(path) && !path.split('/').includes('..');
  return { output: `${head}\n[The output continues. All of it is in ${path}]`, ...(isOwn ? { file: path } : {}) };
}

function headOf(details: unknown): string | undefined {
  if (!isObject(details) || typeof details.stdout !== 'string') return undefined;
  return typeof details.stderr === 'string' && details.stderr !== '' ? `${details.stdout}\n${details.stderr}` : details.stdout;
}
