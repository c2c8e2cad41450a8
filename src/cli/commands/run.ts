import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { AgentList, InputAnswer } from '../../protocol/http.ts';
import { CommandId, type SessionId } from '../../protocol/ids.ts';
import { Session } from '../../protocol/session.ts';
import { type Api, openApi } from '../shared/api.ts';
import { type CliCommand, CliProblem, EXIT, type Given, textOf, UsageProblem } from '../shared/command.ts';
import type { CliConfig, CliDeps } from '../shared/deps.ts';
import { findSession } from '../shared/find-session.ts';
import { followSession } from '../shared/live-feed.ts';
import { watchTurn } from '../shared/watch-turn.ts';

export const runCommand: CliCommand = {
  name: 'run',
  summary: 'Give an agent one task and stream its answer to this terminal',
  help: `
Usage: signalbox run "PROMPT" [flags]

  --agent ID       which agent to use (default: the first one available)
  --cwd DIR        project folder (default: the current folder)
  --session ID     continue this session instead of starting one
  --detach         print the session's id and leave it running
  --model NAME     model to use
  --worktree       work in a new worktree, on a branch of its own
  --name NAME      with --worktree: the branch signalbox/NAME
  --base BRANCH    with --worktree: start from this branch, tag or commit
  --allow          allow every request
  --deny           deny every request
  --json           print the server's frames, one JSON object per line

Without --allow or --deny, you are asked on the terminal; in a script, requests wait for an
answer from the page or "signalbox answer". Ctrl-C interrupts the turn; a second Ctrl-C exits
and leaves the session running.
Exit code: 0 if the turn succeeded, 1 if it failed or was interrupted, 2 for wrong usage.

Examples:
  signalbox run "explain this repository"
  signalbox run "fix the failing test" --cwd ~/work/app --allow
  signalbox run "try the new parser" --worktree
  signalbox run "and now the docs" --session 3kf9 --json
  id=$(signalbox run "check the links" --detach)
`,
  flags: {
    agent: { type: 'string' },
    cwd: { type: 'string' },
    session: { type: 'string' },
    detach: { type: 'boolean' },
    model: { type: 'string' },
    worktree: { type: 'boolean' },
    name: { type: 'string' },
    base: { type: 'string' },
    allow: { type: 'boolean' },
    deny: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (deps, given, positionals) => {
    const prompt = positionals.join(' ').trim();
    if (prompt === '') throw new UsageProblem('give a prompt in quotes, such as "fix the failing test"');
    if (given.allow === true && given.deny === true) throw new UsageProblem('use either --allow or --deny, not both');
    if (given.worktree !== true && (textOf(given, 'name') ?? textOf(given, 'base')) !== undefined)
      throw new UsageProblem('--name and --base belong to --worktree');
    if (given.worktree === true && textOf(given, 'session') !== undefined) throw new UsageProblem('--worktree is for a new session, not with --session');
    const isDetached = given.detach === true;
    if (isDetached && (given.allow === true || given.deny === true)) throw new UsageProblem('--allow and --deny answer while you watch, not with --detach');
    const config = deps.loadConfig({ data: given.data });
    const task = await start(openApi(deps, config), prompt, given, deps);
    if (isDetached) {
      deps.stdout.write(`${given.json === true ? JSON.stringify(task) : task.sessionId}\n`);
      return EXIT.ok;
    }
    return follow(deps, config, given, task);
  },
};

interface Task {
  readonly sessionId: SessionId;
  /** The seq of our input: the turn after it is ours. */
  readonly afterSeq: number;
}

async function start(api: Api, prompt: string, given: Given, deps: CliDeps): Promise<Task> {
  const prefix = textOf(given, 'session');
  if (prefix !== undefined) {
    const { id: known } = await findSession(api, prefix);
    const answer = await api.ask(InputAnswer, `/api/sessions/${encodeURIComponent(known)}/input`, {
      method: 'POST',
      body: { text: prompt, commandId: randomUUID() },
    });
    return { sessionId: known, afterSeq: answer.seq };
  }
  const agent = textOf(given, 'agent') ?? (await firstAgent(api));
  const cwd = resolve(deps.cwd, textOf(given, 'cwd') ?? '.');
  const session = await api.ask(Session, '/api/sessions', {
    method: 'POST',
    body: { agent, cwd, prompt, model: textOf(given, 'model'), ...worktreeIn(given) },
  });
  if (given.json !== true && given.detach !== true) deps.stderr.write(`Session ${session.id} (${agent})\n`);
  return { sessionId: session.id, afterSeq: 0 };
}

const worktreeIn = (given: Given): object => (given.worktree === true ? { worktree: { name: textOf(given, 'name'), base: textOf(given, 'base') } } : {});

async function firstAgent(api: Api): Promise<string> {
  const { agents } = await api.ask(AgentList, '/api/agents');
  const agent = agents.find((each) => each.available);
  if (agent === undefined) throw new CliProblem('No agent is installed. Run "signalbox doctor" to see why.');
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
  const interruptedTwice = new Promise<number>((done) => {
    const stop = deps.onInterrupt(() => {
      interrupts += 1;
      if (interrupts === 1) feed.send({ type: 'interrupt', sessionId, commandId: newId() });
      else done(EXIT.failed);
    });
    void watch.ended.finally(stop);
  });
  try {
    return await Promise.race([watch.ended, interruptedTwice, feed.failed]);
  } finally {
    watch.close();
    feed.close();
  }
}

const newId = (): CommandId => CommandId.parse(randomUUID());
