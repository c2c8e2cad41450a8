import * as z from 'zod/mini';
import type { FileChange } from '../../../protocol/event.ts';
import { patchAtUnknownPlace } from '../../formats/file-patch.ts';
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

/** The texts with which the CLI reports a written file to the model (2.1.197 and 2.1.325). */
const CREATED = /^File created successfully at: (.+?)(?: \(file state is current in your context|$)/m;
const UPDATED = /^The file (.+?) has been updated successfully\./m;

/** What a subagent's call did to a file: the text for the model is all there is. The patch is with the call (`intendedBy`). */
export function changeInText(output: string): FileChange | undefined {
  const created = CREATED.exec(output)?.[1];
  if (created !== undefined) return { kind: 'create', path: created, patch: '' };
  const updated = UPDATED.exec(output)?.[1];
  return updated === undefined ? undefined : { kind: 'edit', path: updated, patch: '' };
}

/** What a call does to a file, from its arguments; undefined for every other tool. */
export function intendedBy(name: string, input: Readonly<Record<string, unknown>>): FileChange | undefined {
  const { file_path: path } = input;
  if (typeof path !== 'string') return undefined;
  if (name === 'Write') return typeof input.content === 'string' ? { kind: 'edit', path, patch: patchAtUnknownPlace('', input.content) } : undefined;
  const edits = name === 'Edit' ? [input] : name === 'MultiEdit' && Array.isArray(input.edits) ? input.edits : [];
  const hunks = edits.flatMap(hunkOf);
  return hunks.length === 0 ? undefined : { kind: 'edit', path, patch: hunks.join('') };
}

function hunkOf(edit: unknown): readonly string[] {
  if (!isObject(edit)) return [];
  const { old_string: before, new_string: after } = edit;
  return typeof before === 'string' && typeof after === 'string' ? [patchAtUnknownPlace(before, after)] : [];
}

function additionOf(content: string): string {
  if (content === '') return '';
  const endsWithNewline = content.endsWith('\n');
  const lines = (endsWithNewline ? content.slice(0, -1) : content).split('\n').map((line) => `+${line}`);
  const hunk = { oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines };
  return endsWithNewline ? hunkText(hunk) : `${hunkText(hunk)}\n\\ No newline at end of file`;
}

const hunkText = (hunk: Hunk): string => [`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines].join('\n');
