/** Marks that stand for what was removed. They keep its shape, so that nothing else changes its meaning. */
const marked = (secret: string): string => secret.replace(/[a-z]/g, 'x').replace(/[A-Z]/g, 'X').replace(/[0-9]/g, '0');

/** Secrets that are recognized by how they look; the first group, if any, is kept. */
const SECRETS: readonly RegExp[] = [
  /(sk-ant-|sk-)[\w-]{12,}/g,
  /(gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[abeprs]-)[\w-]{12,}/g,
  /(AKIA|ASIA)[A-Z0-9]{16}/g,
  /(AIza)[\w-]{30,}/g,
  /(eyJ)[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g,
  /([Bb]earer )[\w.~+/=-]{12,}/g,
  /(:\/\/[^\s:/@"']{1,200}:)[^\s/@"']{1,200}(?=@)/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
];

const NAME = '[A-Za-z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|token|secret|password|passwd|api_?key|access_?key|private_?key)';
/** `NAME=value` and `name: "value"`. */
const ASSIGNED = new RegExp(`(${NAME}["']?\\s*[=:]\\s*["']?)[^\\s"',;]{6,}`, 'g');
const SECRET_NAME = new RegExp(`^${NAME}$`);
/** Numbers of tokens are everywhere and no secrets. */
const isCount = (value: string): boolean => /^[\d.,]+$/.test(value);

/** Shorter values would remove ordinary words. */
const VALUE_CHARS = 6;

export interface Scrubber {
  text(text: string): string;
  /** Every text in a JSON value, and what stands under a name like `password`. */
  value(value: unknown): unknown;
}

/** Removes secrets: what looks like one, and the values that are known to be some. */
export function scrubberFor(known: readonly string[]): Scrubber {
  const values = [...new Set(known)].filter((one) => one.length >= VALUE_CHARS && !isCount(one)).sort((a, b) => b.length - a.length);
  const text = (given: string): string => {
    let now = values.reduce((rest, value) => rest.replaceAll(value, marked(value)), given);
    for (const secret of SECRETS) now = now.replace(secret, (whole, kept: string) => `${kept}${marked(whole.slice(kept.length))}`);
    return now.replace(ASSIGNED, (whole, kept: string) => (isCount(whole.slice(kept.length)) ? whole : `${kept}${marked(whole.slice(kept.length))}`));
  };
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, typeof one === 'string' && SECRET_NAME.test(name) ? marked(one) : value(one)]));
  };
  return { text, value };
}

/** A line of JSON stays as it was printed unless something in it was removed. */
export function scrubLine(scrubber: Scrubber, line: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return scrubber.text(line);
  }
  const clean = JSON.stringify(scrubber.value(parsed));
  return clean === JSON.stringify(parsed) ? line : clean;
}
