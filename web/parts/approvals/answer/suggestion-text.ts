import * as z from 'zod/mini';
import type { Remember } from '../../../../src/protocol/rule.ts';
import { modeText } from '../../../base/text/format.ts';

type Scope = Remember['scope'];

const Destination = z.optional(z.string());
const SetMode = z.looseObject({ mode: z.string(), destination: Destination });
const Rules = z.looseObject({
  rules: z.array(z.looseObject({ toolName: z.string(), ruleContent: z.optional(z.string()) })),
  behavior: z.optional(z.string()),
  destination: Destination,
});
const Directories = z.looseObject({ directories: z.array(z.string()), destination: Destination });

/** An option with the agent's own label. Only the agent knows how far it reaches. */
const Option = z.looseObject({ optionId: z.string(), name: z.string() });

export interface Suggestion {
  readonly text: string;
  /** The scope it gets when it is sent back to the agent unchanged. */
  readonly reach: Scope;
}

/** A rule that the agent itself suggests, as readable text; an unknown suggestion is shown as JSON. */
export function suggestionText(suggestion: Readonly<Record<string, unknown>>): Suggestion {
  const mode = SetMode.safeParse(suggestion);
  if (mode.success) return { text: modeSuggestion(mode.data.mode), reach: reachOf(mode.data.destination) };
  const rules = Rules.safeParse(suggestion);
  if (rules.success) {
    const targets = rules.data.rules.map((rule) => (rule.ruleContent === undefined ? `every ${rule.toolName}` : `${rule.toolName} ${rule.ruleContent}`));
    const verb = rules.data.behavior === 'deny' ? 'Deny' : 'Allow';
    return { text: `${verb} ${targets.join(', ')}`, reach: reachOf(rules.data.destination) };
  }
  const directories = Directories.safeParse(suggestion);
  if (directories.success) return { text: `Also allow work in ${directories.data.directories.join(', ')}`, reach: reachOf(directories.data.destination) };
  const option = Option.safeParse(suggestion);
  return { text: option.success ? option.data.name : JSON.stringify(suggestion), reach: 'everywhere' };
}

const modeSuggestion = (mode: string): string => (mode === 'acceptEdits' ? 'Accept all edits from now on' : `Switch to mode: ${modeText(mode)}`);

const reachOf = (destination: string | undefined): Scope => REACHES[destination ?? 'session'] ?? 'everywhere';

const REACHES: Readonly<Record<string, Scope>> = { session: 'session', localSettings: 'project', projectSettings: 'project', userSettings: 'everywhere' };
