/** JSON as people write it in settings, with comments and trailing commas; undefined when even that fails. */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(TOKENS, (token, string?: string) => (string === undefined ? '' : token)));
  } catch {
    return undefined;
  }
}

/** Keeps strings; drops comments and commas before a closing bracket. */
const TOKENS = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
