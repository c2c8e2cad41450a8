/** JSON as people write it into settings, with comments and commas at the end; undefined when it is not even that. */
export function looseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(TOKENS, (token, string?: string) => (string === undefined ? '' : token)));
  } catch {
    return undefined;
  }
}

/** A string stays; comments, and a comma before a closing bracket, go. */
const TOKENS = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
