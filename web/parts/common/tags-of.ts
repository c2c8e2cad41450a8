/** The server's limits. */
const MAX_TAG_CHARS = 64;
const MAX_TAGS = 32;

/** Tags as people type them: comma-separated, possibly with duplicates. */
export const tagsOf = (text: string): readonly string[] =>
  [...new Set(text.split(',').map((tag) => tag.trim().slice(0, MAX_TAG_CHARS)))].filter((tag) => tag !== '').slice(0, MAX_TAGS);
