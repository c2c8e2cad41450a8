/** How well letters fit into words: undefined when they do not stand in them in this order. Beginnings of words and neighbours count most. */
export function fuzzy(letters: string, words: string): number | undefined {
  const wanted = letters.toLowerCase().replace(/\s+/g, '');
  const text = words.toLowerCase();
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

/** The letter next to the one before when it is there, else at the beginning of a word, else wherever it is. */
function nextAt(text: string, letter: string, from: number, before: number): number {
  if (text[before + 1] === letter && before + 1 >= from) return before + 1;
  for (let at = text.indexOf(letter, from); at >= 0; at = text.indexOf(letter, at + 1)) if (isStart(text, at)) return at;
  return text.indexOf(letter, from);
}
