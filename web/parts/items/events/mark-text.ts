import { handlerOf } from '../../../../src/domain/handle-event.ts';
import type { MarkEvent } from '../../../../src/domain/transcript/item.ts';
import { type Sentence, sentencesIn } from '../../../../src/domain/transcript/sentences.ts';
import { modeText, momentText } from '../../../base/text/format.ts';

/** The table of sentences with this browser's times. */
const SENTENCES = sentencesIn({ moment: (at, from) => momentText(at, Date.parse(from)), mode: modeText });

/** What happened, in one sentence. */
export const sentenceOf = (event: MarkEvent): Sentence => handlerOf(SENTENCES, event)(event);
