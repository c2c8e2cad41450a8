import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Commands } from '../../../../src/domain/transcript/item.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { completedWith, fileProposals, matchingCommands, type Proposal, type Typed, type Word, wordAt } from './completion.ts';

interface Completion {
  readonly proposals: readonly Proposal[];
  readonly chosen: number;
  /** The text with this proposal. */
  take(proposal: Proposal): Typed;
  /** True when the list used the key. */
  onKey(event: KeyboardEvent): boolean;
}

/** The proposals for the word at the caret, and which one is selected. */
export function useCompletion(sessionId: string, text: string, caret: number | undefined, onTake: (typed: Typed) => void): Completion {
  const [dismissed, setDismissed] = useState('');
  const [choice, setChoice] = useState({ of: '', at: 0 });
  const word = caret === undefined ? undefined : wordAt(text, caret);
  const key = word === undefined ? '' : `${word.kind} ${word.from} ${word.typed}`;
  const all = useProposals(sessionId, word);
  const proposals = key === dismissed ? NONE : all;
  const chosen = choice.of === key ? Math.min(choice.at, proposals.length - 1) : 0;
  const take = (proposal: Proposal) => (word === undefined ? { text, caret: text.length } : completedWith(text, word, proposal));
  const onKey = (event: KeyboardEvent): boolean => {
    const proposal = proposals[chosen];
    if (proposal === undefined || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return false;
    const step = STEPS[event.key];
    if (step !== undefined) setChoice({ of: key, at: (chosen + step + proposals.length) % proposals.length });
    else if (event.key === 'Escape') setDismissed(key);
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey && !isTyped(text, proposal))) onTake(take(proposal));
    else return false;
    event.preventDefault();
    return true;
  };
  return { proposals, chosen, take, onKey };
}

const NONE: readonly Proposal[] = [];
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Enter sends a fully typed command instead of completing it again. */
const isTyped = (text: string, proposal: Proposal): boolean => text.trim() === proposal.text;

const NO_COMMANDS: Commands = [];

function useProposals(sessionId: string, word: Word | undefined): readonly Proposal[] {
  const cockpit = useCockpit();
  const live = useApp((state) => state.open.get(sessionId)?.transcript.commands ?? NO_COMMANDS);
  const loaded = useApp((state) => state.commands.get(sessionId));
  const found = useApp((state) => (state.found?.sessionId === sessionId ? state.found : undefined));
  const isCommand = word?.kind === 'command';
  const file = word?.kind === 'file' ? word.typed : undefined;
  const mustLoad = isCommand && live.length === 0 && loaded === undefined;
  useEffect(() => {
    if (mustLoad) void cockpit.loadCommands(sessionId);
  }, [cockpit, sessionId, mustLoad]);
  useEffect(() => {
    if (file !== undefined) cockpit.findFiles(sessionId, file);
  }, [cockpit, sessionId, file]);
  if (isCommand && word !== undefined) return matchingCommands(live.length > 0 ? live : (loaded ?? NO_COMMANDS), word.typed);
  // Keep the results for the previous letters until the new ones arrive, so that nothing flickers.
  return file !== undefined && found !== undefined && file.startsWith(found.find.slice(0, file.length)) ? fileProposals(found.files) : NONE;
}
