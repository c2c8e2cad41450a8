import { isAbsolute, join } from 'node:path';
import type { FileChange } from '../../protocol/event.ts';
import { patchBetween, patchOfNewFile } from '../formats/file-patch.ts';
import type { Diff } from './wire.ts';

/** The protocol sends a file before and after; we keep the difference. */
export function changeOf({ path, oldText, newText }: Diff, cwd: string): FileChange {
  const where = isAbsolute(path) ? path : join(cwd, path);
  // OpenCode 1.18.33 sends an empty text, not null, for a new file.
  if (!oldText) return { kind: 'create', path: where, patch: patchOfNewFile(newText) };
  return { kind: 'edit', path: where, patch: patchBetween(oldText, newText) };
}
