import { CommandAnswer } from '../../protocol/http.ts';
import { Remember } from '../../protocol/rule.ts';
import { PermissionMode } from '../../protocol/session.ts';
import { type AnswerWords, answerBody } from '../answer-body.ts';
import { openApi } from '../api.ts';
import { type CliCommand, EXIT, type Given, textOf, UsageProblem } from '../command.ts';
import type { CliDeps } from '../deps.ts';
import { findRequest } from '../find-request.ts';

export const answerCommand: CliCommand = {
  name: 'answer',
  summary: 'Allow or deny a request of the inbox',
  help: `
Usage: signalbox answer REQUEST --allow|--deny [flags]

REQUEST is an id of the inbox, or the beginning of one.

  --message TEXT      with --deny: what the agent is told
  --interrupt         with --deny: stop the turn too
  --edit FILE         with --allow: go on with this file instead: the command,
                      or the arguments as JSON for everything else
  --editor            with --allow: change it in $VISUAL or $EDITOR first
  --remember SCOPE    with --allow: do not ask again about exactly this, in this
                      session, project, or everywhere
  --choose Q=LABEL    answer to a question, by its number or its words; again for
                      further questions or choices
  --mode MODE         with --allow of a plan: the mode to go on in

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
  run: async (deps, given, [id, word]) => {
    if (id === undefined) throw new UsageProblem('which request? signalbox inbox lists them');
    const words = wordsOf(deps, given, word);
    const api = openApi(deps, deps.loadConfig({ data: given.data }));
    const request = await findRequest(api, id);
    const requestId = request?.requestId ?? id;
    const body = await answerBody(words, request);
    await api.ask(CommandAnswer, `/api/permissions/${encodeURIComponent(requestId)}`, { method: 'POST', body });
    deps.stdout.write(`${body.behavior === 'allow' ? 'Allowed' : 'Denied'} ${requestId}\n`);
    return EXIT.ok;
  },
};

/** The flags, or the plain word `allow` or `deny`; choosing an answer is allowing. */
function wordsOf(deps: CliDeps, given: Given, word: string | undefined): AnswerWords {
  const allows = given.allow === true || word === 'allow' || given.choose !== undefined;
  const denies = given.deny === true || word === 'deny';
  if (allows === denies) throw new UsageProblem('the answer is allow or deny: --allow or --deny');
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
  if (!allows) throw new UsageProblem('only an allow can be remembered; for a denial: signalbox rules add deny');
  const remember = Remember.safeParse({ scope });
  if (!remember.success) throw new UsageProblem(`--remember is session, project or everywhere, not "${scope}"`);
  return remember.data;
}

function modeOf(word: string | undefined): PermissionMode | undefined {
  if (word === undefined) return undefined;
  const mode = PermissionMode.safeParse(word);
  if (!mode.success) throw new UsageProblem(`--mode is ${PermissionMode.options.join(', ')}, not "${word}"`);
  return mode.data;
}
