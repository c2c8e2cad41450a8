import * as z from 'zod/mini';

/** One thing in a folder. */
export const FolderEntry = z.object({
  name: z.string(),
  /** link: it leads out of the session's folders, or nowhere, and is not followed; other: neither a file nor a folder. */
  kind: z.enum(['file', 'folder', 'link', 'other']),
  bytes: z.optional(z.int()),
  /** Of a link: its target. */
  target: z.optional(z.string()),
});
export type FolderEntry = z.infer<typeof FolderEntry>;

const seen = { path: z.string(), root: z.string(), roots: z.array(z.string()) };

/** A folder or a file of a session's folders; `path` is the real path. */
export const FileAnswer = z.union([
  z.object({
    ...seen,
    kind: z.literal('folder'),
    entries: z.array(FolderEntry),
    /** There are more than fit in one answer. */
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

/** Without a path: the session's own folder. A relative path is resolved from there. */
export const FileQuery = z.object({ path: z.optional(z.string().check(z.maxLength(4096))) });
