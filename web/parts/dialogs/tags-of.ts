/** What the server takes. */
const LONGEST = 64;
const MOST = 32;

/** Tags as a person types them: with commas, in any case, some of them twice. */
export const tagsOf = (words: string): readonly string[] =>
  [...new Set(words.split(',').map((tag) => tag.trim().slice(0, LONGEST)))].filter((tag) => tag !== '').slice(0, MOST);
