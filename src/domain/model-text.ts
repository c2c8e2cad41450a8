/** A model's id as people write its name: `claude-opus-4-8[1m]` is “Opus 4.8 (1M)” next to an agent whose title names the maker, otherwise with the maker's name. */
export function modelText(id: string, agentTitle = ''): string {
  const [, name = id, size] = /^([^[]+)\[(\w+)\]$/.exec(id) ?? [];
  const parts = (name.split('/').at(-1) ?? name).split(/[-_]/).filter((part) => part !== '' && !DATE.test(part));
  const [maker, ...rest] = parts;
  const isKnown = rest.length > 0 && maker !== undefined && agentTitle.toLowerCase().includes(maker.toLowerCase());
  const words = (isKnown ? rest : parts).reduce<readonly string[]>(joinNumbers, []);
  const text = newestFirst(words).map(capitalized).join(' ');
  if (text === '') return id;
  return size === undefined ? text : `${text} (${size.toUpperCase()})`;
}

const DATE = /^20\d{6}$/;
const NUMBER = /^\d+(?:\.\d+)*$/;

/** `4-8` is the version 4.8. */
function joinNumbers(words: readonly string[], part: string): readonly string[] {
  const last = words.at(-1);
  return last !== undefined && NUMBER.test(last) && NUMBER.test(part) ? [...words.slice(0, -1), `${last}.${part}`] : [...words, part];
}

/** Some ids have the version before the name (`3-5-haiku`). */
const newestFirst = (words: readonly string[]): readonly string[] => {
  const [first, ...rest] = words;
  return first !== undefined && NUMBER.test(first) && rest.length > 0 ? [...rest, first] : words;
};

/** Short words without a vowel are abbreviations. */
function capitalized(word: string): string {
  if (/^[b-df-hj-np-tv-z]{2,4}$/i.test(word)) return word.toUpperCase();
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
