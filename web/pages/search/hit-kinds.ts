import type { HitKind } from '../../../src/protocol/api/search.ts';

const WORDS: Readonly<Record<HitKind, string>> = {
  prompt: 'prompt',
  answer: 'answer',
  thinking: 'thinking',
  tool: 'tool call',
  output: 'output',
  diff: 'change',
  note: 'note',
  title: 'title',
};

export const KINDS: readonly (readonly [string, string])[] = Object.entries(WORDS);

export const kindText = (kind: HitKind): string => WORDS[kind];
