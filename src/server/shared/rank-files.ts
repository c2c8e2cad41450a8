/** Matching paths, best first: names that start with the text, then names that contain it, then those with its letters in order. */
export function rankFiles(paths: readonly string[], find: string, most: number): string[] {
  const query = find.toLowerCase();
  return paths
    .flatMap((path) => {
      const rank = rankOf(path.toLowerCase(), query);
      return rank === undefined ? [] : [{ path, rank }];
    })
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ path }) => path);
}

/** Lower is better; undefined when the path doesn't match. */
function rankOf(path: string, query: string): number | undefined {
  if (query === '') return depthOf(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  if (path.startsWith(query)) return 2;
  if (name.includes(query)) return 3;
  if (path.includes(query)) return 4;
  // In a whole path almost any letters occur in order, so folders count only when the text has a slash.
  return containsInOrder(query.includes('/') ? path : name, query) ? 5 : undefined;
}

const depthOf = (path: string): number => path.split('/').length;

function containsInOrder(text: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}
