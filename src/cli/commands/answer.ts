import { CommandAnswer } from '../../protocol/http.ts';
import { Remember } from '../../protocol/rule.ts';
import { PermissionMode } from '../../protocol/session.ts';
import { type AnswerOptions, answerBody } from '../shared/answer-body.ts';
import { openApi } from '../shared/api.ts';
import { type CliCommand, EXIT, type Given, textOf, UsageProblem } from '../shared/command.ts';
import type { CliDeps } from '../shared/deps.ts';
import { findRequest } from '../shared/find-request.ts';

export const answerCommand: CliCommand = {
  name: 'answer',
  summary: 'Allow or deny a request from the inbox',
  help: `
Usage: signalbox answer REQUEST --allow|--deny [flags]

REQUEST is a request id from the inbox; a unique prefix is enough.

  --message TEXT      with --deny: send this reason to the agent
  --interrupt         with --deny: also stop the turn
  --edit FILE         with --allow: use this file as the command instead, or as
                      the arguments (JSON) of any other tool
  --editor            with --allow: edit it in $VISUAL or $EDITOR first
  --remember SCOPE    with --allow: create a rule for exactly this request; SCOPE is
                      session, project or everywhere
  --choose Q=LABEL    answer a question, named by its number or its text; repeat it for
                      more questions or choices
  --mode MODE         with --allow of a plan: permission mode to continue in

Examples:
  signalbox answer r1:req_7 --allow
  signalbox answer r1:req_7 --deny --message "use the test database"
  signalbox answer r1:req_7 --allow --remember project
  signalbox answer r1:req_8 --choose "1=Blue"
  signalbox answer r1:req_9 --allow --mode acceptEdits
`,
  flags: {
    allow: { type: 'boolean' },
    deny: { type: 'boolean' },
    message: { type: 'string' },
    interrupt: { type: 'boolean' },
    edit: { type: 'string' },
    editor: { type: 'boolean' },
    remember: { type: 'string' },
    choose: { type: 'string', multiple: true },
    mode: { type: 'string' },
  },
  run: async (deps, given, [id, verb]) => {
    if (id === undefined) throw new UsageProblem('name a request; "signalbox inbox" lists them');
    const options = optionsIn(deps, given, verb);
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const request = await findRequest(api, id);
    const requestId = request?.requestId ?? id;
    const body = await answerBody(options, request);
    await api.ask(CommandAnswer, `/api/permissions/${encodeURIComponent(requestId)}`, { method: 'POST', body });
    deps.stdout.write(`${body.behavior === 'allow' ? 'Allowed' : 'Denied'} ${requestId}\n`);
    return EXIT.ok;
  },
};

/** The flags, or `allow` or `deny` without dashes; `--choose` implies `--allow`. */
function optionsIn(deps: CliDeps, given: Given, verb: string | undefined): AnswerOptions {
  const allows = given.allow === true || verb === 'allow' || given.choose !== undefined;
  const denies = given.deny === true || verb === 'deny';
  if (allows === denies) throw new UsageProblem('use either --allow or --deny');
  const choices = Array.isArray(given.choose) ? given.choose.map(String) : [];
  return {
    behavior: allows ? 'allow' : 'deny',
    choices,
    message: textOf(given, 'message'),
    interrupt: given.interrupt === true,
    file: textOf(given, 'edit'),
    editor: given.editor === true ? (deps.env.VISUAL ?? deps.env.EDITOR ?? 'vi') : undefined,
    remember: rememberOf(allows, textOf(given, 'remember')),
    mode: modeOf(textOf(given, 'mode')),
  };
}

function rememberOf(allows: boolean, scope: string | undefined): Remember | undefined {
  if (scope === undefined) return undefined;
  if (!allows) throw new UsageProblem('--remember needs --allow; to always deny, use "signalbox rules add deny"');
  const remember = Remember.safeParse({ scope });
  if (!remember.success) throw new UsageProblem(`--remember must be session, project or everywhere, not "${scope}"`);
  return remember.data;
}

function modeOf(text: string | undefined): PermissionMode | undefined {
  if (text === undefined) return undefined;
  const mode = PermissionMode.safeParse(text);
  if (!mode.success) throw new UsageProblem(`--mode must be one of ${PermissionMode.options.join(', ')}, not "${text}"`);
  return mode.data;
}
