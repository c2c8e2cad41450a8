import { CommandAnswer } from '../protocol/http.ts';
import { Remember } from '../protocol/rule.ts';
import { openApi } from './api.ts';
import { type CliCommand, EXIT, textOf, UsageProblem } from './command.ts';

export const answerCommand: CliCommand = {
  name: 'answer',
  summary: 'Allow or deny a request of the inbox',
  help: `
Usage: signalbox answer REQUEST allow|deny [--remember SCOPE] [--message TEXT] [--interrupt]

  --remember SCOPE   allow, and make the narrowest rule that allows it again:
                     session, project or everywhere
  --message TEXT     what the agent is told with a denial
  --interrupt        deny and stop the turn

Examples:
  signalbox answer r1:req_7 allow
  signalbox answer r1:req_7 allow --remember project
  signalbox answer r1:req_7 deny --message "use the test database"
`,
  flags: { remember: { type: 'string' }, message: { type: 'string' }, interrupt: { type: 'boolean' } },
  run: async (deps, given, [requestId, behavior]) => {
    if (requestId === undefined) throw new UsageProblem('which request? signalbox inbox lists them');
    if (behavior !== 'allow' && behavior !== 'deny') throw new UsageProblem('the answer is allow or deny');
    const body = { behavior, message: textOf(given, 'message'), interrupt: given.interrupt, remember: rememberIn(behavior, textOf(given, 'remember')) };
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    await api.ask(CommandAnswer, `/api/permissions/${encodeURIComponent(requestId)}`, { method: 'POST', body });
    deps.stdout.write(`${behavior === 'allow' ? 'Allowed' : 'Denied'} ${requestId}\n`);
    return EXIT.ok;
  },
};

function rememberIn(behavior: 'allow' | 'deny', scope: string | undefined): Remember | undefined {
  if (scope === undefined) return undefined;
  if (behavior === 'deny') throw new UsageProblem('only an allow can be remembered; for a denial: signalbox rules add deny');
  const remember = Remember.safeParse({ scope });
  if (!remember.success) throw new UsageProblem(`--remember is session, project or everywhere, not "${scope}"`);
  return remember.data;
}
