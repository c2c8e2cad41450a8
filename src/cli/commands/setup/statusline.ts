import * as z from 'zod/mini';
import { HookStatus } from '../../../protocol/api/outside/hooks.ts';
import { askAsHook } from '../../shared/api.ts';
import { type CliCommand, EXIT, textOf } from '../../shared/command.ts';
import { printableLine } from '../../shared/paint.ts';

export const statuslineCommand: CliCommand = {
  name: 'statusline',
  summary: 'One line for the status bar of an agent in a terminal',
  help: `
Usage: signalbox statusline [--agent claude-code]

Prints one line: how many requests need you in all sessions, the model, and how full its
context is. Install the hooks first; the line uses their token.

Example, in ~/.claude/settings.json:
  {"statusLine":{"type":"command","command":"signalbox statusline"}}
`,
  flags: { agent: { type: 'string' } },
  run: async (deps, given) => {
    const config = deps.loadConfig({ data: given.data });
    const agent = textOf(given, 'agent') ?? deps.hooks.agents[0]?.id ?? '';
    const [status, shown] = await Promise.all([askAsHook(HookStatus, config, agent, '/api/hooks/status'), shownBy(deps.stdin)]);
    const needs =
      status === undefined ? 'Signalbox is off' : status.waiting === 0 ? 'All quiet' : `${status.waiting} ${status.waiting === 1 ? 'needs' : 'need'} you`;
    deps.stdout.write(`${[needs, ...shown].map(printableLine).join(' · ')}\n`);
    return EXIT.ok;
  },
};

/** Numbers are null before the first answer (Claude Code 2.1.197, 2.1.325). */
const Given = z.looseObject({
  model: z.optional(z.looseObject({ display_name: z.optional(z.string()) })),
  context_window: z.optional(z.looseObject({ used_percentage: z.nullish(z.number()) })),
});

async function shownBy(stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }): Promise<readonly string[]> {
  if (stdin.isTTY) return [];
  let text = '';
  for await (const piece of stdin) text += String(piece);
  try {
    const { model, context_window } = z.parse(Given, JSON.parse(text));
    const used = context_window?.used_percentage;
    return [...(model?.display_name === undefined ? [] : [model.display_name]), ...(used == null ? [] : [`${Math.round(used)} % context`])];
  } catch {
    return [];
  }
}
