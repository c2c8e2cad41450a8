/** Matching paths, best first: names that start with the text, then names that contain it, then those with its letters in order. */
export function rankFiles(paths: readonly string[], find: string, most: number): string[] {
  const sought = find.toLowerCase();
  return paths
    .flatMap((path) => {
      const rank = rankOf(path.toLowerCase(), sought);
      return rank === undefined ? [] : [{ path, rank }];
    })
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ path }) => path);
}

/** Lower is better; undefined when the path doesn't match. */
function rankOf(path: string, sought: string): number | undefined {
  if (sought === '') return depthOf(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === sought) return 0;
  if (name.startsWith(sought)) return 1;
  if (path.startsWith(sought)) return 2;
  if (name.includes(sought)) return 3;
  if (path.includes(sought)) return 4;
  // In a whole path almost any letters occur in order, so folders count only when the text has a slash.
  return holdsInOrder(sought.includes('/') ? path : name, sought) ? 5 : undefined;
}

const depthOf = (path: string): number => path.split('/').length;

function holdsInOrder(text: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + letter.length;
  }
  return true;
}
