import type { KeptObservation } from '../../../protocol/observation.ts';
import type { PastFacts } from '../../port/adapter.ts';
import { SYNTHETIC } from '../lines/assistant.ts';
import { type Entry, type RecordLine, readLine, textIn } from './entry.ts';
import { observeLine } from './observe-line.ts';

/** Facts from the start and the end of a record. Where a part is cut, its first and last lines may be incomplete. */
export function readFacts(head: string, tail: string): PastFacts {
  const first = completeLines(head);
  const last = completeLines(tail);
  const { title: _, lastAt: __, ...facts } = factsOf([...first, ...last]);
  const title = givenTitle([...first, ...last]) ?? firstPrompt(first) ?? promptIn(head) ?? firstPrompt(last);
  const lastAt = tail === '' ? lastTime(first) : (lastTime(last) ?? timeIn(tail));
  return { ...facts, ...(title !== undefined && { title }), ...(lastAt !== undefined && { lastAt }) };
}

const completeLines = (piece: string): readonly Entry[] => piece.split('\n').flatMap((raw, index) => (raw.startsWith('{') ? [readLine(raw, index)] : []));

/** A prompt so long that its line is cut: its first words, if the fields are in the order in which the CLI writes them. */
const CUT_PROMPT =
  /^\{"parentUuid":(?:null|"[^"]{1,64}"),"isSidechain":false,[^{]{0,200}"type":"user","message":\{"role":"user","content":(?:\[\{"type":"text","text":)?"((?:[^"\\]|\\.){1,400})/;

function promptIn(head: string): string | undefined {
  const found = CUT_PROMPT.exec(head.slice(head.lastIndexOf('\n') + 1))?.[1]?.replace(/\\u[0-9a-f]{0,3}$/i, '');
  const text = found === undefined ? undefined : textIn(readLine(`{"text":"${found}"}`).line?.fields.text);
  return text?.startsWith('<') ? undefined : text?.slice(0, TITLE_CHARS);
}

/** The last line may be longer than the part that was read; its time comes after its text. */
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

/** The title that a person chose. */
export const titleGivenBy = (line: RecordLine | undefined): string | undefined =>
  line?.type === 'custom-title' ? textIn(line.fields.customTitle)?.slice(0, TITLE_CHARS) : undefined;

/** Messages from the CLI itself have a model name too, which isn't a real model. */
export function modelOf(line: RecordLine): string | undefined {
  const model = line.type === 'assistant' ? textIn(line.message?.model) : undefined;
  return model === SYNTHETIC ? undefined : model;
}

const TITLE_CHARS = 200;

function firstPrompt(entries: readonly Entry[]): string | undefined {
  for (const entry of entries) {
    const title = entry.line === undefined ? undefined : promptOf(entry.line, () => observeLine(entry));
    if (title !== undefined) return title;
  }
  return undefined;
}

/** A person's message, as a title. */
export function promptOf(line: RecordLine, observed: () => readonly KeptObservation[]): string | undefined {
  if (line.type !== 'user' || line.isSidechain || line.isCompactSummary) return undefined;
  const prompt = observed().find((one) => one.type === 'user.message' && one.origin === 'elsewhere');
  return prompt?.type === 'user.message' ? textIn(prompt.text.slice(0, TITLE_CHARS)) : undefined;
}
