import * as z from 'zod/mini';

/** One thing in a folder. */
export const FolderEntry = z.object({
  name: z.string(),
  /** link: it leads out of the session's folders, or nowhere, and is not followed; other: no file and no folder. */
  kind: z.enum(['file', 'folder', 'link', 'other']),
  bytes: z.optional(z.int()),
  /** Of a link: what it says. */
  target: z.optional(z.string()),
});
export type FolderEntry = z.infer<typeof FolderEntry>;

const seen = { path: z.string(), root: z.string(), roots: z.array(z.string()) };

/** A folder or a file of a session's folders; `path` is the real one. */
export const FileAnswer = z.union([
  z.object({
    ...seen,
    kind: z.literal('folder'),
    entries: z.array(FolderEntry),
    /** There are more than one answer lists. */
    more: z.boolean(),
  }),
  z.object({
    ...seen,
    kind: z.literal('file'),
    bytes: z.int(),
    changedAt: z.string(),
    content: z.enum(['text', 'image', 'binary']),
    text: z.optional(z.string()),
    /** The text is only its head. */
    cut: z.optional(z.boolean()),
  }),
]);
export type FileAnswer = z.infer<typeof FileAnswer>;

/** Without a path: the session's own folder. A path that is not whole is taken from there. */
export const FileQuery = z.object({ path: z.optional(z.string().check(z.maxLength(4096))) });
