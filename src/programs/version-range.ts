type Numbers = readonly number[];

/** Versions from one on (`from`), and up to but without another. */
interface Span {
  readonly from: Numbers;
  readonly below: Numbers;
}

/** Whether a version is in a range as a package.json writes it. What cannot be read keeps nobody out. */
export function isInRange(version: string, range: string): boolean {
  const numbers = /\d+(\.\d+)*/.exec(version)?.[0].split('.').map(Number);
  const choices = range.split('||').map(spansOf);
  if (numbers === undefined || choices.includes(undefined)) return true;
  return choices.some((spans) => spans?.every(({ from, below }) => compare(numbers, from) >= 0 && compare(numbers, below) < 0));
}

/** `>=24.16.0 <25 || >=26.1` as a person reads it. */
export const rangeInWords = (range: string): string =>
  range
    .replaceAll('||', ' or ')
    .replaceAll('>=', '≥ ')
    .replaceAll('<=', '≤ ')
    .replace(/(\d+\.\d+)\.0\b/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();

const COMPARATOR = /(>=|<=|>|<|=|\^|~)?\s*v?(\d+|\*)((?:\.(?:\d+|x|\*))*)/g;

function spansOf(choice: string): readonly Span[] | undefined {
  if (choice.replace(COMPARATOR, '').trim() !== '') return undefined;
  return [...choice.matchAll(COMPARATOR)].map(([, operator = '=', major = '*', rest = '']) => spanOf(operator, known(`${major}${rest}`)));
}

/** `20.x` knows one number. */
const known = (version: string): Numbers => (version.startsWith('*') ? [] : (/^\d+(\.\d+)*/.exec(version)?.[0].split('.').map(Number) ?? []));

const ALWAYS: Numbers = [Number.POSITIVE_INFINITY];

function spanOf(operator: string, numbers: Numbers): Span {
  if (numbers.length === 0) return { from: [], below: ALWAYS };
  switch (operator) {
    case '>=':
      return { from: numbers, below: ALWAYS };
    case '>':
      return { from: after(numbers, numbers.length), below: ALWAYS };
    case '<':
      return { from: [], below: numbers };
    case '<=':
      return { from: [], below: after(numbers, numbers.length) };
    case '^':
      return { from: numbers, below: after(numbers, numbers[0] === 0 ? 2 : 1) };
    case '~':
      return { from: numbers, below: after(numbers, Math.min(2, numbers.length)) };
    default:
      return { from: numbers, below: after(numbers, numbers.length) };
  }
}

/** The first version behind all that begin with the first `count` of these numbers. */
const after = (numbers: Numbers, count: number): Numbers => [...numbers.slice(0, count - 1), (numbers[count - 1] ?? 0) + 1];

function compare(one: Numbers, other: Numbers): number {
  const at = [0, 1, 2].find((index) => (one[index] ?? 0) !== (other[index] ?? 0));
  return at === undefined ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
