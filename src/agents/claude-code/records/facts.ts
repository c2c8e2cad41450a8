import type { KeptObservation } from '../../../protocol/observation.ts';
import type { PastFacts } from '../../adapter.ts';
import { SYNTHETIC } from '../lines/assistant.ts';
import { type Entry, type RecordLine, readLine, textIn } from './entry.ts';
import { observeOne } from './observe.ts';

/** What the beginning and the end of a record tell of it. Where a piece is cut, its first and last line may be halves. */
export function glance(head: string, tail: string): PastFacts {
  const first = wholeLines(head);
  const last = wholeLines(tail);
  const { title: _, lastAt: __, ...facts } = factsOf([...first, ...last]);
  const title = givenTitle([...first, ...last]) ?? firstPrompt(first) ?? promptIn(head) ?? firstPrompt(last);
  const lastAt = tail === '' ? lastTime(first) : (lastTime(last) ?? timeIn(tail));
  return { ...facts, ...(title !== undefined && { title }), ...(lastAt !== undefined && { lastAt }) };
}

const wholeLines = (piece: string): readonly Entry[] => piece.split('\n').flatMap((raw, index) => (raw.startsWith('{') ? [readLine(raw, index)] : []));

/** A prompt so long that its line is cut: the first words of it, as far as the fields stand in the order in which the CLI writes them. */
const CUT_PROMPT =
  /^\{"parentUuid":(?:null|"[^"]{1,64}"),"isSidechain":false,[^{]{0,200}"type":"user","message":\{"role":"user","content":(?:\[\{"type":"text","text":)?"((?:[^"\\]|\\.){1,400})/;

function promptIn(head: string): string | undefined {
  const found = CUT_PROMPT.exec(head.slice(head.lastIndexOf('\n') + 1))?.[1]?.replace(/\\u[0-9a-f]{0,3}$/i, '');
  const said = found === undefined ? undefined : textIn(readLine(`{"said":"${found}"}`).line?.fields.said);
  return said?.startsWith('<') ? undefined : said?.slice(0, TITLE_CHARS);
}

/** Of a last line so long that the whole piece is inside it: after its text it says when it was written. */
const timeIn = (tail: string): string | undefined => [...tail.matchAll(/[,{]"timestamp":"(\d{4}-[^"]{1,30})"/g)].at(-1)?.[1];

export function factsOf(entries: readonly Entry[]): PastFacts {
  const lines = linesOf(entries);
  const title = givenTitle(entries) ?? firstPrompt(entries);
  const cwd = lines.find((line) => line.cwd !== undefined)?.cwd;
  const model = lines.map(modelOf).findLast((one) => one !== undefined);
  const lastAt = lastTime(entries);
  return {
    ...(cwd !== undefined && { cwd }),
    ...(title !== undefined && { title }),
    ...(model !== undefined && { model }),
    ...(lastAt !== undefined && { lastAt }),
  };
}

const linesOf = (entries: readonly Entry[]): readonly RecordLine[] => entries.flatMap(({ line }) => (line === undefined || line.isSidechain ? [] : [line]));

const lastTime = (entries: readonly Entry[]): string | undefined => linesOf(entries).findLast((line) => line.timestamp !== undefined)?.timestamp;

const givenTitle = (entries: readonly Entry[]): string | undefined => entries.map(({ line }) => titleGivenBy(line)).findLast((title) => title !== undefined);

/** The name that a person gave the conversation. */
export const titleGivenBy = (line: RecordLine | undefined): string | undefined =>
  line?.type === 'custom-title' ? textIn(line.fields.customTitle)?.slice(0, TITLE_CHARS) : undefined;

/** The CLI's own words have a name of a model too, which is none. */
export function modelOf(line: RecordLine): string | undefined {
  const model = line.type === 'assistant' ? textIn(line.message?.model) : undefined;
  return model === SYNTHETIC ? undefined : model;
}

const TITLE_CHARS = 200;

function firstPrompt(entries: readonly Entry[]): string | undefined {
  for (const entry of entries) {
    const title = entry.line === undefined ? undefined : promptOf(entry.line, () => observeOne(entry));
    if (title !== undefined) return title;
  }
  return undefined;
}

/** What a person said in a line, as a title. */
export function promptOf(line: RecordLine, told: () => readonly KeptObservation[]): string | undefined {
  if (line.type !== 'user' || line.isSidechain || line.isCompactSummary) return undefined;
  const said = told().find((one) => one.type === 'user.message' && one.origin === 'elsewhere');
  return said?.type === 'user.message' ? textIn(said.text.slice(0, TITLE_CHARS)) : undefined;
}
