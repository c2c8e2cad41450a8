import * as z from 'zod/mini';
import type { FileChange } from '../../../protocol/event.ts';
import { isObject } from '../../formats/shape.ts';

const Hunk = z.looseObject({
  oldStart: z.int(),
  oldLines: z.int(),
  newStart: z.int(),
  newLines: z.int(),
  lines: z.array(z.string()),
});
type Hunk = z.infer<typeof Hunk>;

const Details = z.looseObject({
  type: z.optional(z.string()),
  filePath: z.string(),
  content: z.optional(z.string()),
  structuredPatch: z.array(Hunk),
});

/** The file change of a Write or Edit, from its structured result; undefined for every other tool. */
export function changeOf(details: unknown): FileChange | undefined {
  if (!isObject(details) || !Array.isArray(details.structuredPatch)) return undefined;
  const parsed = z.safeParse(Details, details);
  if (!parsed.success) return undefined;
  const { type, filePath, content, structuredPatch } = parsed.data;
  // A new file comes with its content and an empty patch (2.1.197).
  if (type === 'create') return { kind: 'create', path: filePath, patch: additionOf(content ?? '') };
  if (structuredPatch.length === 0) return undefined;
  return { kind: 'edit', path: filePath, patch: structuredPatch.map(hunkText).join('\n') };
}

function additionOf(content: string): string {
  if (content === '') return '';
  const endsWithNewline = content.endsWith('\n');
  const lines = (endsWithNewline ? content.slice(0, -1) : content).split('\n').map((line) => `+${line}`);
  const hunk = { oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines };
  return endsWithNewline ? hunkText(hunk) : `${hunkText(hunk)}\n\\ No newline at end of file`;
}

const hunkText = (hunk: Hunk): string => [`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines].join('\n');
