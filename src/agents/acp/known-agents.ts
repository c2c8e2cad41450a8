import type { State } from './state.ts';

/** What single agents were seen to do, by the name they give in the handshake. Nothing here is needed for an agent that follows the protocol. */
interface Habits {
  /** A command is the title of its call, exactly, and there are no arguments. */
  readonly isCommandInTitle?: boolean;
  /** The usage in an answer is the total of the session so far. */
  readonly isUsageTotal?: boolean;
}

const HABITS: Readonly<Record<string, Habits>> = {
  'gemini-cli': { isCommandInTitle: true },
  'pi-acp': { isCommandInTitle: true },
  Copilot: { isUsageTotal: true },
};

const habitsOf = ({ agentName }: State): Habits => (Object.hasOwn(HABITS, agentName) ? HABITS[agentName] : undefined) ?? {};

/** Rules can only judge a command that they see; a title for people must never pass for one. */
export const isCommandInTitle = (state: State): boolean => habitsOf(state).isCommandInTitle === true;

export const isUsageTotal = (state: State): boolean => habitsOf(state).isUsageTotal === true;
