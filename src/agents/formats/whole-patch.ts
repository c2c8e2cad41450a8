/** A file that is new, as one hunk that adds every line. */
export const patchOfNewFile = (content: string): string => {
  const lines = linesOf(content);
  return `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
};

/** One that is gone, as one hunk that takes every line away. */
export const patchOfDeletedFile = (content: string): string => {
  const lines = linesOf(content);
  return `@@ -1,${lines.length} +0,0 @@\n${lines.map((line) => `-${line}\n`).join('')}`;
};

const linesOf = (content: string): readonly string[] => (content === '' ? [] : content.replace(/\n$/, '').split('\n'));
