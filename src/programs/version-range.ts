import coerce from 'semver/functions/coerce.js';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';

/** Whether a version is in a range in package.json syntax. A version or range that can't be parsed always matches. */
export function isInRange(version: string, range: string): boolean {
  const numbers = coerce(version);
  return numbers === null || validRange(range) === null || satisfies(numbers, range);
}

/** Formats `>=24.16.0 <25 || >=26.1` for people. */
export const formatRange = (range: string): string =>
  range
    .replaceAll('||', ' or ')
    .replaceAll('>=', '≥ ')
    .replaceAll('<=', '≤ ')
    .replace(/(\d+\.\d+)\.0\b/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
