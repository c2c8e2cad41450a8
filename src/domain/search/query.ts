import { HitKind, type SearchQuery } from '../../protocol/api/search.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { fold, wordsOf } from './fold.ts';

/** A parsed query. All words must match; of several values of one filter, any can match. */
export interface ParsedQuery {
  readonly terms: readonly Term[];
  readonly agents: readonly string[];
  readonly projects: readonly string[];
  readonly tools: readonly string[];
  readonly paths: readonly string[];
  readonly kinds: readonly HitKind[];
  readonly isError: boolean;
  /** Milliseconds; `after` is included, `before` is not. */
  readonly after?: number;
  readonly before?: number;
  readonly session?: SessionId;
}

/** A word, a phrase or a piece of code. */
export interface Term {
  /** The text to match, without case and diacritics; any white space matches any other. */
  readonly literal: string;
  /** The words in it; empty if it is only punctuation. */
  readonly words: readonly string[];
  /** The last word can continue. */
  readonly isPrefix: boolean;
  /** Its words alone do not decide a match: there is punctuation between them. */
  readonly isExact: boolean;
}

export interface QueryRefusal {
  readonly refused: 'bad-query';
  readonly message: string;
}

/** Why a query cannot be answered, as a message to the person who typed it. */
class Misunderstood extends Error {}

export function parseQuery(query: SearchQuery): ParsedQuery | QueryRefusal {
  try {
    return parsedQuery(query);
  } catch (error) {
    if (error instanceof Misunderstood) return { refused: 'bad-query', message: error.message };
    throw error;
  }
}

/** More words than anyone types; it limits the work. */
const TERMS = 24;

function parsedQuery(query: SearchQuery): ParsedQuery {
  const pieces = [...piecesOf(query.q ?? ''), ...fromParameters(query)];
  const valuesOf = (operator: string) => pieces.flatMap((piece) => (piece.operator === operator ? [piece.text] : []));
  const listOf = (operator: string) => valuesOf(operator).flatMap((value) => value.split(',').filter((one) => one !== ''));
  const terms = pieces.flatMap((piece) => (piece.operator === undefined ? [termOf(piece)] : []));
  const parsed: ParsedQuery = {
    terms,
    agents: listOf('agent').map(fold),
    projects: valuesOf('project').map(fold),
    tools: listOf('tool').map(fold),
    paths: valuesOf('path').filter((path) => path !== ''),
    kinds: listOf('kind').map(kindOf),
    isError: valuesOf('is').map(errorOnly).includes(true),
    ...bound('after', valuesOf('after'), Math.max),
    ...bound('before', valuesOf('before'), Math.min),
    ...(query.session !== undefined && { session: query.session }),
  };
  return checked(parsed, pieces.length);
}

function fromParameters(query: SearchQuery): readonly Piece[] {
  const names = ['agent', 'project', 'kind', 'tool', 'path', 'before', 'after'] as const;
  return names.flatMap((operator) => {
    const text = query[operator];
    return text === undefined || text === '' ? [] : [{ operator, text, isQuoted: true }];
  });
}

function termOf({ text, isQuoted }: Piece): Term {
  const isPrefix = !isQuoted && text.endsWith('*') && text.length > 1;
  const literal = fold(isPrefix ? text.slice(0, -1) : text)
    .trim()
    .replace(/\s+/g, ' ');
  const words = wordsOf(literal);
  return { literal, words, isPrefix, isExact: words.length !== 1 || words[0] !== literal };
}

function kindOf(value: string): HitKind {
  const kind = HitKind.safeParse(value.toLowerCase());
  if (!kind.success) throw new Misunderstood(`“${value}” is not a kind. Use kind: with one of ${HitKind.options.join(', ')}.`);
  return kind.data;
}

function errorOnly(value: string): boolean {
  if (value.toLowerCase() !== 'error') throw new Misunderstood(`“is:${value}” is not supported. Use is:error to find failures.`);
  return true;
}

function bound(name: 'after' | 'before', values: readonly string[], narrower: (...moments: number[]) => number): { readonly [name: string]: number } {
  if (values.length === 0) return {};
  const moments = values.map((value) => {
    const moment = momentOf(value);
    if (moment === undefined) throw new Misunderstood(`“${value}” is not a date. Use a day such as ${name}:2026-03-31, a month, a year or a time.`);
    return moment;
  });
  return { [name]: narrower(...moments) };
}

/** A shorter prefix matches nearly everything, and all of it would have to be sorted first. */
const SHORTEST_PREFIX = 3;

function checked(query: ParsedQuery, pieces: number): ParsedQuery {
  const { terms } = query;
  if (pieces === 0) throw new Misunderstood('Type a search term, or a filter such as path:src/main.ts.');
  if (terms.length > TERMS) throw new Misunderstood(`Use at most ${TERMS} words. Put phrases in quotes, or remove some words.`);
  const short = terms.find((term) => term.isPrefix && (term.words.at(-1) ?? '').length < SHORTEST_PREFIX);
  if (short) throw new Misunderstood(`“${short.literal}*” matches nearly everything. Type at least ${SHORTEST_PREFIX} letters before the *.`);
  const bare = terms.find((term) => term.words.length === 0);
  if (bare && terms.every((term) => term.words.length === 0)) {
    throw new Misunderstood(`“${bare.literal}” has no letters or digits, so it cannot be searched alone. Add a word near it.`);
  }
  return query;
}

/** A part of what somebody typed: words, or an operator with its value. */
interface Piece {
  readonly operator?: string;
  readonly text: string;
  readonly isQuoted: boolean;
}

const OPERATORS: ReadonlySet<string> = new Set(['agent', 'project', 'tool', 'path', 'is', 'before', 'after', 'kind']);

/** An operator and its value, a quoted phrase, or anything between spaces. An unclosed quote ends with the text. */
const PIECES = /([a-z]+):"([^"]*)(?:"|$)|([a-z]+):(\S+)|"([^"]*)(?:"(?=\s|$)|$)|(\S+)/giu;

/** An unknown operator, or one without a value, counts as words like any others: `std::vector`, `tool:`. */
function piecesOf(text: string): readonly Piece[] {
  return [...text.matchAll(PIECES)].flatMap(pieceOf).filter((piece) => piece.text.trim() !== '');
}

function pieceOf([whole, quotedFor = '', quoted, plainFor = '', plain, phrase]: RegExpMatchArray): readonly Piece[] {
  if (phrase !== undefined) return [{ text: phrase, isQuoted: true }];
  const operator = (quotedFor || plainFor).toLowerCase();
  const value = quoted ?? plain;
  if (value === undefined || !OPERATORS.has(operator) || value.startsWith(':')) return [{ text: whole, isQuoted: false }];
  return [{ operator, text: value, isQuoted: quoted !== undefined }];
}

const DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** The start of a year, month or day (in UTC), or a point in time; undefined if it is neither. */
function momentOf(text: string): number | undefined {
  if (!DATE.test(text) && !TIME.test(text)) return undefined;
  const moment = Date.parse(TIME.test(text) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text);
  if (Number.isNaN(moment)) return undefined;
  // JavaScript reads 2026-02-31 as a day in March; nobody means that.
  const day = text.slice(0, 10);
  return DATE.test(text) && !new Date(moment).toISOString().startsWith(day) ? undefined : moment;
}
