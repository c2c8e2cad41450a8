import type { AgentCommand } from '../../../../src/protocol/http.ts';

/** The word being typed that can be completed: a command at the very start, or a file after an @. */
export interface Word {
  readonly kind: 'command' | 'file';
  /** The position of its / or @. */
  readonly from: number;
  readonly to: number;
  /** Without its / or @. */
  readonly typed: string;
}

export interface Proposal {
  /** With its / or @, as it goes into the message. */
  readonly text: string;
  readonly label: string;
  readonly hint?: string;
}

export function wordAt(text: string, caret: number): Word | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before)?.[1];
  if (command !== undefined) return { kind: 'command', from: 0, to: caret, typed: command };
  const file = /(?:^|\s)@([^\s"]*)$/.exec(before)?.[1];
  return file === undefined ? undefined : { kind: 'file', from: caret - file.length - 1, to: caret, typed: file };
}

/** This many at a time; typing narrows the list. */
const MAX_PROPOSALS = 40;

/** Commands that start with the text, then those that contain it. */
export function matchingCommands(commands: readonly AgentCommand[], typed: string): readonly Proposal[] {
  const wanted = typed.toLowerCase();
  const rank = ({ name }: AgentCommand) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return commands
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_PROPOSALS)
    .map(({ name, description, argumentHint }) => ({
      text: `/${name}`,
      label: [`/${name}`, argumentHint].filter(Boolean).join(' '),
      ...(description !== undefined && { hint: description }),
    }));
}

export const fileProposals = (files: readonly string[]): readonly Proposal[] =>
  files.slice(0, MAX_PROPOSALS).map((path) => ({ text: mentionOf(path), label: path }));

/** Agents end a mention at the first space unless it is quoted. */
const mentionOf = (path: string): string => (/\s/.test(path) ? `@"${path}"` : `@${path}`);

export interface Typed {
  readonly text: string;
  readonly caret: number;
}

/** The message with the word replaced by the proposal and a space. */
export function completedWith(text: string, { from, to }: Word, proposal: Proposal): Typed {
  const rest = text.slice(to);
  const head = `${text.slice(0, from)}${proposal.text}${/^\s/.test(rest) ? '' : ' '}`;
  return { text: head + rest, caret: head.length + (/^\s/.test(rest) ? 1 : 0) };
}
