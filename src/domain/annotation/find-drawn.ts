/** What a person selected in drawn text, with the drawn text around it. */
export interface DrawnSelection {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/**
 * Where selected words are in the source they were drawn from, for example Markdown: by letters and digits alone, because marks are drawn differently.
 * Undefined if that isn't certain: then the comment is on the whole text, never on other words.
 */
export function findDrawn(source: string, { before, text, after }: DrawnSelection): readonly [number, number] | undefined {
  const needle = lettersOf(text);
  const [first] = needle.offsets;
  const last = needle.offsets.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const hay = lettersOf(source);
  const found = occurrences(hay.letters, needle.letters);
  const drawn = occurrences(lettersOf(before + text + after).letters, needle.letters);
  const which = found.length === drawn.length ? drawn.indexOf(lettersOf(before).letters.length) : 0;
  const at = found.length === 1 || found.length === drawn.length ? found[which] : undefined;
  const start = at === undefined ? undefined : hay.offsets[at];
  const end = at === undefined ? undefined : hay.offsets[at + needle.letters.length - 1];
  if (start === undefined || end === undefined) return undefined;
  return [start, end + 1 + sameSigns(source, end + 1, text.slice(last + 1))];
}

/** The letters and digits of a text, each UTF-16 unit with its offset. */
function lettersOf(text: string): { readonly letters: string; readonly offsets: readonly number[] } {
  const offsets: number[] = [];
  let letters = '';
  for (const { 0: letter, index } of text.matchAll(/[\p{L}\p{N}]/gu)) {
    letters += letter;
    for (let unit = 0; unit < letter.length; unit += 1) offsets.push(index + unit);
  }
  return { letters, offsets };
}

function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}

/** How many of the signs that follow the last letter are the same in the source: a full stop belongs to its sentence. */
function sameSigns(source: string, from: number, signs: string): number {
  let count = 0;
  while (count < signs.length && source[from + count] === signs[count]) count += 1;
  return count;
}
