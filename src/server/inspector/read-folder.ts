import { isUtf8 } from 'node:buffer';
import type { Dirent, Stats } from 'node:fs';
import { type FileHandle, lstat, opendir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../../folders/system-folders.ts';
import type { FileAnswer, FolderEntry } from '../../protocol/api/folder.ts';
import type { Refusal } from '../../protocol/command.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { contentTypeOf } from '../shared/blob-type.ts';
import { openPinned, pathOf } from './pinned-file.ts';
import { realPathIn, type SessionFolders } from './session-folders.ts';

/** A folder with its entries, or a file with its text. */
export async function readPath(folders: SessionFolders, path: string): Promise<FileAnswer | Refusal> {
  return opened(folders, path, async (handle, real) => {
    const found = await handle.stat();
    const seen = { path: real, root: folders.roots.find((root) => isInside(real, root)) ?? folders.roots[0], roots: [...folders.roots] };
    if (found.isDirectory()) return { ...seen, kind: 'folder', ...(await entriesOf(folders, real, pathOf(handle, real))) };
    if (found.isFile()) return { ...seen, kind: 'file', bytes: found.size, changedAt: found.mtime.toISOString(), ...(await contentOf(handle, found)) };
    return { refused: 'not-supported', message: `${path} is neither a file nor a folder. Pipes, sockets and devices can’t be opened.` };
  });
}

/** The bytes of an image and its type. No other file is served as raw bytes. */
export async function imageAt(folders: SessionFolders, path: string): Promise<{ readonly bytes: Buffer; readonly type: string } | Refusal> {
  return opened(folders, path, async (handle) => {
    const found = await handle.stat();
    if (!found.isFile()) return { refused: 'not-supported', message: `${path} is not a file.` };
    if (found.size > LIMITS.fileImageBytes)
      return { refused: 'too-large', message: `This image is too large to show: the limit is ${LIMITS.fileImageBytes} bytes.` };
    const bytes = await headOf(handle, found.size);
    const type = contentTypeOf(bytes);
    return type.startsWith('image/') ? { bytes, type } : { refused: 'not-supported', message: `${path} is not a PNG, JPEG, GIF or WebP image.` };
  });
}

async function opened<T>(folders: SessionFolders, path: string, use: (handle: FileHandle, real: string) => Promise<T | Refusal>): Promise<T | Refusal> {
  const real = await realPathIn(folders, path);
  if (typeof real !== 'string') return real;
  const handle = await openPinned(real);
  if (handle === undefined) return { refused: 'not-found', message: `Can’t open ${path}: it was removed, or the server has no permission to read it.` };
  try {
    return await use(handle, real);
  } finally {
    await handle.close();
  }
}

/** Folders first, then by name. */
async function entriesOf(folders: SessionFolders, real: string, open: string): Promise<{ entries: FolderEntry[]; more: boolean }> {
  const found: Dirent[] = [];
  let more = false;
  for await (const entry of await opendir(open)) {
    more = found.length === LIMITS.folderEntries;
    if (more) break;
    found.push(entry);
  }
  const entries = await Promise.all(found.map((entry) => entryOf(folders, real, open, entry)));
  return { entries: entries.sort(byKindAndName), more };
}

const byKindAndName = (a: FolderEntry, b: FolderEntry): number =>
  Number(b.kind === 'folder') - Number(a.kind === 'folder') || a.name.localeCompare(b.name, 'en', { numeric: true });

async function entryOf(folders: SessionFolders, real: string, open: string, entry: Dirent): Promise<FolderEntry> {
  const { name } = entry;
  if (entry.isSymbolicLink()) return linkOf(folders, join(real, name), name);
  if (entry.isDirectory()) return { name, kind: 'folder' };
  if (!entry.isFile()) return { name, kind: 'other' };
  const facts = await lstat(join(open, name)).catch(() => undefined);
  return { name, kind: 'file', ...(facts && { bytes: facts.size }) };
}

/** A link that stays inside is shown as its target; any other is shown as a link. */
async function linkOf(folders: SessionFolders, path: string, name: string): Promise<FolderEntry> {
  const target = await readlink(path).catch(() => '');
  const real = await realPathIn(folders, path);
  const facts = typeof real === 'string' ? await stat(real).catch(() => undefined) : undefined;
  if (facts?.isDirectory()) return { name, kind: 'folder', target };
  return facts?.isFile() ? { name, kind: 'file', bytes: facts.size, target } : { name, kind: 'link', target };
}

type Content = Pick<Extract<FileAnswer, { kind: 'file' }>, 'content' | 'text' | 'cut'>;

async function contentOf(handle: FileHandle, { size }: Stats): Promise<Content> {
  const head = await headOf(handle, Math.min(size, LIMITS.fileTextBytes));
  if (contentTypeOf(head).startsWith('image/')) return { content: 'image' };
  const isCut = size > head.length;
  const text = isCut ? wholeCharacters(head) : head;
  if (head.includes(0) || !isUtf8(text)) return { content: 'binary' };
  return { content: 'text', text: text.toString('utf8'), ...(isCut && { cut: true }) };
}

async function headOf(handle: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let at = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, at, bytes - at, at);
    at += bytesRead;
    if (bytesRead === 0 || at === bytes) return buffer.subarray(0, at);
  }
}

/** Drops a character that the limit cut in half. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
  }
  return bytes;
}
