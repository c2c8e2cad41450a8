import { type Handlers, handlerOf } from '../../../../src/domain/handle-event.ts';
import type { MarkEvent, MarkType } from '../../../../src/domain/transcript/item.ts';
import { type Sentence, sentencesIn } from '../../../../src/domain/transcript/sentences.ts';
import { modeText, momentText } from '../../../base/text/format.ts';

/** The table of sentences with this browser's times, for each agent's title. */
const tables = new Map<string | undefined, Handlers<MarkType, [], Sentence>>();

function tableOf(agent: string | undefined): Handlers<MarkType, [], Sentence> {
  const known = tables.get(agent);
  if (known !== undefined) return known;
  const table = sentencesIn({ moment: (at, from) => momentText(at, Date.parse(from)), mode: modeText, ...(agent !== undefined && { agent }) });
  tables.set(agent, table);
  return table;
}

/** What happened, in one sentence. */
export const sentenceOf = (event: MarkEvent, agent?: string): Sentence => handlerOf(tableOf(agent), event)(event);
