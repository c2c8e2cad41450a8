/** A text split at each `*`: `src/*.ts` is `['src/', '.ts']`. */
export type Pieces = readonly [string, ...string[]];

export function piecesOf(text: string): Pieces {
  const [first = '', ...others] = text.split('*');
  return [first, ...others];
}

/** Whether the text starts with the first piece, ends with the last, and has the others in order in between. Takes linear time. */
export function fits([first, ...others]: Pieces, text: string): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
