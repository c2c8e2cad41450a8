import type { Word } from './line.ts';
import { isWithin } from './paths.ts';

/** Where a command would run. */
export interface Place {
  /** The session's folder, as a real path. */
  readonly folder: string;
  /** The folder in which the command runs. */
  readonly cwd: string;
  /** Resolves a path, following links. */
  readonly real: (path: string, cwd: string) => string;
}

/** Why a word must not be chosen by a wildcard, judged by itself: it leads out of the folder, or it is an address. */
export function wordObstacle(word: Word, place: Place | undefined): string | undefined {
  if (isAddress(word.text)) return `"${word.text}" is an address`;
  return leadsOut(word, place) ? `"${word.text}" leads out of the folder` : undefined;
}

const isAddress = (text: string): boolean => /:\/\/|^(file|https?|ext):|^data:[^,]*[,;]|^[^/\s]+@[^/\s:]+:/i.test(text);

/** Without a place only the text is judged: what it says for sure. */
function leadsOut({ text, live }: Word, place: Place | undefined): boolean {
  if (text.startsWith('~')) return true;
  const glob = live.find((at) => '*?['.includes(text[at] ?? ''));
  // What a glob becomes is not known, only where it starts; `*/../..` could be anywhere.
  const certain = glob === undefined ? text : text.slice(0, text.lastIndexOf('/', glob) + 1);
  if (glob !== undefined && text.slice(certain.length).split('/').includes('..')) return true;
  if (place === undefined) return /^\/|(^|\/)\.\.(\/|$)/.test(certain);
  return !isWithin(place.real(certain === '' ? '.' : certain, place.cwd), place.folder);
}

/** A program of its own can read any part of a word as a path: `--config=/x`, `-I../x`. */
export function anyPartObstacle(word: Word, place: Place | undefined): string | undefined {
  return partsOf(word)
    .map((part) => wordObstacle(part, place))
    .find((why) => why !== undefined);
}

function partsOf(word: Word): Word[] {
  const starts = [0];
  if (word.text.includes('=')) starts.push(word.text.indexOf('=') + 1);
  if (/^-\w[./~]/.test(word.text)) starts.push(2);
  return starts.map((start) => ({ text: word.text.slice(start), live: word.live.filter((at) => at >= start).map((at) => at - start) }));
}
