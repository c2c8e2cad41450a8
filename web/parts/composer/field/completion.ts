import type { AgentCommand } from '../../../../src/protocol/http.ts';

/** The word that is being typed and can be completed: a command at the very beginning, or a file after an @. */
export interface Word {
  readonly kind: 'command' | 'file';
  /** Where its sign stands. */
  readonly from: number;
  readonly to: number;
  /** Without its sign. */
  readonly typed: string;
}

export interface Proposal {
  /** With its sign, as it will stand in the message. */
  readonly text: string;
  readonly words: string;
  readonly hint?: string;
}

export function wordAt(text: string, caret: number): Word | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before)?.[1];
  if (command !== undefined) return { kind: 'command', from: 0, to: caret, typed: command };
  const file = /(?:^|\s)@([^\s"]*)$/.exec(before)?.[1];
  return file === undefined ? undefined : { kind: 'file', from: caret - file.length - 1, to: caret, typed: file };
}

/** So many are seen at a time; typing on brings the others. */
const MOST = 40;

/** Those that begin so, then those that hold it. */
export function fittingCommands(commands: readonly AgentCommand[], typed: string): readonly Proposal[] {
  const sought = typed.toLowerCase();
  const rank = ({ name }: AgentCommand) => (name.toLowerCase().startsWith(sought) ? 0 : 1);
  return commands
    .filter(({ name }) => name.toLowerCase().includes(sought))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST)
    .map(({ name, description, argumentHint }) => ({
      text: `/${name}`,
      words: [`/${name}`, argumentHint].filter(Boolean).join(' '),
      ...(description !== undefined && { hint: description }),
    }));
}

export const proposedFiles = (files: readonly string[]): readonly Proposal[] => files.slice(0, MOST).map((path) => ({ text: mentionOf(path), words: path }));

/** Agents end a mention at the first blank unless it is quoted. */
const mentionOf = (path: string): string => (/\s/.test(path) ? `@"${path}"` : `@${path}`);

export interface Typed {
  readonly text: string;
  readonly caret: number;
}

/** The message with the proposal in the place of the word, and a blank behind it. */
export function completedWith(text: string, { from, to }: Word, proposal: Proposal): Typed {
  const rest = text.slice(to);
  const head = `${text.slice(0, from)}${proposal.text}${/^\s/.test(rest) ? '' : ' '}`;
  return { text: head + rest, caret: head.length + (/^\s/.test(rest) ? 1 : 0) };
}
