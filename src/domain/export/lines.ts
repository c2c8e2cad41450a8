import { tokensText } from '../amounts.ts';
import { handlerOf } from '../handle-event.ts';
import type { BoundaryItem, MarkEvent, PermissionItem, TurnItem } from '../transcript/item.ts';
import { decisionText, isFailedTurn, turnEndText, turnFacts } from '../transcript/outcomes.ts';
import { boundaryText, plainSentence, sentencesIn } from '../transcript/sentences.ts';
import { toolSummary } from '../transcript/tool-kind.ts';
import type { LineBlock } from './block.ts';

/** A document can be read anywhere, so its times are the journal's and its modes are the agent's own words. */
const SENTENCES = sentencesIn({ moment: (at) => at, mode: (mode) => mode });

const plain = (text: string): LineBlock => ({ kind: 'line', tone: 'plain', text });
const bad = (text: string): LineBlock => ({ kind: 'line', tone: 'bad', text });

/** Who decided what, and with which words. */
export function lineOfPermission({ requested, resolved }: PermissionItem): LineBlock {
  const what = requested === undefined ? 'a request from before' : `${requested.tool} ${toolSummary(requested.input)}`.trim();
  if (resolved === undefined) return plain(`Needs an answer: ${what}`);
  const words = resolved.message === undefined || resolved.message === '' ? '' : `: “${resolved.message}”`;
  const changed = resolved.updatedInput === undefined ? '' : ', with changes';
  const line = `${decisionText(resolved, { kind: requested?.kind ?? 'tool', what })}${changed}${words}`;
  return resolved.outcome === 'allowed' ? plain(line) : bad(line);
}

export function lineOfTurn({ completed: turn, workMs }: TurnItem): LineBlock {
  const context = turn.contextTokens === undefined ? [] : [`${tokensText(turn.contextTokens)} tokens of context`];
  const isBad = isFailedTurn(turn);
  const problem = isBad ? (turn.errors?.slice(0, 1) ?? []) : [];
  const text = [[turnEndText(turn), ...problem].join(': '), ...turnFacts(turn, workMs), ...context].join(' · ');
  return isBad ? bad(text) : plain(text);
}

export function lineOfMark(event: MarkEvent): LineBlock {
  const sentence = handlerOf(SENTENCES, event)(event);
  const { tone } = sentence;
  const text = plainSentence(sentence);
  if (event.type === 'context.compacted' && event.failed === undefined) return aside(`${text}. The agent only has a summary of what came before.`);
  return tone === 'quiet' ? plain(text) : bad(text);
}

export const lineOfBoundary = (side: BoundaryItem['side']): LineBlock => aside(boundaryText(side));

const aside = (text: string): LineBlock => ({ kind: 'line', tone: 'break', text });
