import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { AgentList, InputAnswer } from '../../protocol/http.ts';
import { CommandId, SessionId } from '../../protocol/ids.ts';
import { Session } from '../../protocol/session.ts';
import { type Api, openApi } from '../api.ts';
import { type CliCommand, CliProblem, EXIT, type Given, textOf, UsageProblem } from '../command.ts';
import type { CliConfig, CliDeps } from '../deps.ts';
import { followSession } from '../live-feed.ts';
import { watchTurn } from '../watch-turn.ts';

export const runCommand: CliCommand = {
  name: 'run',
  summary: 'Give an agent one task and stream its answer here',
  help: `
Usage: signalbox run "PROMPT" [flags]

  --agent ID       which agent (default: the first one that is available)
  --cwd DIR        where it works (default: this folder)
  --session ID     go on with a session instead of making one
  --model NAME     the agent's model
  --allow          allow whatever it asks
  --deny           deny whatever it asks
  --json           print the server's frames, one JSON object a line

Without --allow or --deny a terminal is asked; a script waits for an answer from the cockpit
or from "signalbox answer". Ctrl-C interrupts the turn; a second one leaves it running.
Exit code: 0 when the turn ended well, 1 when it failed or was interrupted, 2 for wrong use.

Examples:
  signalbox run "explain this repository"
  signalbox run "fix the failing test" --cwd ~/work/app --allow
  signalbox run "and now the docs" --session 3kZ… --json
`,
  flags: {
    agent: { type: 'string' },
    cwd: { type: 'string' },
    session: { type: 'string' },
    model: { type: 'string' },
    allow: { type: 'boolean' },
    deny: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (deps, given, words) => {
    const prompt = words.join(' ').trim();
    if (prompt === '') throw new UsageProblem('what shall be done? Give the prompt in quotes');
    if (given.allow === true && given.deny === true) throw new UsageProblem('--allow and --deny exclude each other');
    const config = deps.loadConfig({ data: given.data });
    const task = await begin(openApi(deps, config), prompt, given, deps);
    return follow(deps, config, given, task);
  },
};

interface Task {
  readonly sessionId: SessionId;
  /** Our input; the turn that answers it is the one that counts. */
  readonly afterSeq: number;
}

async function begin(api: Api, prompt: string, given: Given, deps: CliDeps): Promise<Task> {
  const known = textOf(given, 'session');
  if (known !== undefined) {
    const answer = await api.ask(InputAnswer, `/api/sessions/${encodeURIComponent(known)}/input`, {
      method: 'POST',
      body: { text: prompt, commandId: randomUUID() },
    });
    return { sessionId: SessionId.parse(known), afterSeq: answer.seq };
  }
  const agent = textOf(given, 'agent') ?? (await firstAgent(api));
  const cwd = resolve(deps.cwd, textOf(given, 'cwd') ?? '.');
  const session = await api.ask(Session, '/api/sessions', { method: 'POST', body: { agent, cwd, prompt, model: textOf(given, 'model') } });
  if (given.json !== true) deps.stderr.write(`Session ${session.id} (${agent})\n`);
  return { sessionId: session.id, afterSeq: 0 };
}

async function firstAgent(api: Api): Promise<string> {
  const { agents } = await api.ask(AgentList, '/api/agents');
  const agent = agents.find((each) => each.available);
  if (agent === undefined) throw new CliProblem('No agent is available here: signalbox doctor says why');
  return agent.id;
}

async function follow(deps: CliDeps, config: CliConfig, given: Given, { sessionId, afterSeq }: Task): Promise<number> {
  const policy = given.allow === true ? 'allow' : given.deny === true ? 'deny' : 'ask';
  const watch = watchTurn(deps, {
    asJson: given.json === true,
    policy,
    afterSeq,
    answer: (requestId, behavior) => feed.send({ type: 'permission', requestId, behavior, commandId: newId() }),
  });
  const feed = followSession({ address: () => openApi(deps, config), sessionId, onFrame: watch.frame });
  let interrupts = 0;
  const leave = new Promise<number>((done) => {
    const stop = deps.onInterrupt(() => {
      interrupts += 1;
      if (interrupts === 1) feed.send({ type: 'interrupt', sessionId, commandId: newId() });
      else done(EXIT.failed);
    });
    void watch.ended.finally(stop);
  });
  try {
    return await Promise.race([watch.ended, leave, feed.failed]);
  } finally {
    watch.close();
    feed.close();
  }
}

const newId = (): CommandId => CommandId.parse(randomUUID());
