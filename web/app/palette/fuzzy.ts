/** How well letters match a text; undefined when they don't occur in this order. Starts of words and adjacent letters score highest. */
export function fuzzyScore(letters: string, title: string): number | undefined {
  const wanted = letters.toLowerCase().replace(/\s+/g, '');
  const text = title.toLowerCase();
  if (wanted === '') return 0;
  const plain = text.indexOf(letters.trim().toLowerCase());
  if (plain >= 0) return WHOLE + (isStart(text, plain) ? START : 0) - plain / 100;
  let [at, score, before] = [-1, 0, -2];
  for (const letter of wanted) {
    at = nextAt(text, letter, at + 1, before);
    if (at < 0) return undefined;
    score += at === before + 1 ? NEIGHBOUR : isStart(text, at) ? START : -1;
    before = at;
  }
  return score - text.length / 100;
}

const WHOLE = 100;
const START = 8;
const NEIGHBOUR = 5;

const isStart = (text: string, at: number): boolean => at === 0 || /[\s/._\-–:]/.test(text[at - 1] ?? '');

/** Prefers the letter right after the previous match, then the start of a word, then any position. */
function nextAt(text: string, letter: string, from: number, before: number): number {
  if (text[before + 1] === letter && before + 1 >= from) return before + 1;
  for (let at = text.indexOf(letter, from); at >= 0; at = text.indexOf(letter, at + 1)) if (isStart(text, at)) return at;
  return text.indexOf(letter, from);
}
