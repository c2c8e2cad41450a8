import { CommandAnswer } from '../protocol/http.ts';
import { openApi } from './api.ts';
import { type CliCommand, EXIT, textOf, UsageProblem } from './command.ts';

export const answerCommand: CliCommand = {
  name: 'answer',
  summary: 'Allow or deny a request of the inbox',
  help: `
Usage: signalbox answer REQUEST allow|deny [--message TEXT] [--interrupt]

  --message TEXT   what the agent is told with a denial
  --interrupt      deny and stop the turn

Examples:
  signalbox answer r1:req_7 allow
  signalbox answer r1:req_7 deny --message "use the test database"
`,
  flags: { message: { type: 'string' }, interrupt: { type: 'boolean' } },
  run: async (deps, given, [requestId, behavior]) => {
    if (requestId === undefined) throw new UsageProblem('which request? signalbox inbox lists them');
    if (behavior !== 'allow' && behavior !== 'deny') throw new UsageProblem('the answer is allow or deny');
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const body = { behavior, message: textOf(given, 'message'), interrupt: given.interrupt };
    await api.ask(CommandAnswer, `/api/permissions/${encodeURIComponent(requestId)}`, { method: 'POST', body });
    deps.stdout.write(`${behavior === 'allow' ? 'Allowed' : 'Denied'} ${requestId}\n`);
    return EXIT.ok;
  },
};
