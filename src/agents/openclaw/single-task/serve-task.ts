import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { startTask, type Task } from './task.ts';

const Request = z.looseObject({ id: z.string(), method: z.string(), params: z.looseObject({}) });
const Send = z.object({ message: z.string(), idempotencyKey: z.string(), attachments: z.optional(z.array(z.unknown())) });
const Choice = z.object({ model: z.optional(z.string()), thinkingLevel: z.optional(z.string()) });

const Created = z.looseObject({ key: z._default(z.string(), '') });
const Resolve = z.looseObject({ sessionId: z.string() });

/** `exec`: one task without a record; `agent`: a conversation, with one process per message. */
export type Way = 'exec' | 'agent';

const LIGHT =
  'Without its Gateway, OpenClaw runs every message as a process of its own: nothing is asked, the answer appears when it is complete, a message may take 30 minutes, and commands run in the agent\u2019s own workspace.';

const put = (frame: object): void => void process.stdout.write(`${JSON.stringify(frame)}\n`);

/** Answers like the Gateway, as far as one task needs it, so the adapter sees no difference. */
export async function serveTask(way: Way, cwd: string, openclaw: readonly string[]): Promise<void> {
  let sessionId: string = randomUUID();
  let choice: z.infer<typeof Choice> = {};
  let task: Task | undefined;
  const answers: Readonly<Record<string, (params: object) => object | string>> = {
    'sessions.create': (params) => {
      // The key contains the id that our session already has; the conversation is continued under it.
      sessionId = way === 'agent' ? (/^signalbox:(.+)$/.exec(Created.parse(params).key)?.[1] ?? sessionId) : sessionId;
      return { key: sessionId, sessionId };
    },
    'sessions.resolve': (params) => {
      sessionId = Resolve.parse(params).sessionId;
      return { ok: true, key: sessionId };
    },
    'chat.history': () => ({ sessionId, messages: [] }),
    'sessions.messages.subscribe': () => ({}),
    'sessions.patch': (params) => {
      choice = { ...choice, ...Choice.parse(params) };
      return { key: sessionId, entry: { sessionId, permissionMode: 'full', thinkingLevel: choice.thinkingLevel, spawnedCwd: cwd } };
    },
    'chat.send': (params) => {
      const { message, idempotencyKey: runId, attachments = [] } = Send.parse(params);
      if (way === 'exec' && task !== undefined) return 'an ephemeral session runs only one task: start another session';
      if (attachments.length > 0) return 'OpenClaw does not accept images without its Gateway';
      task = startTask({ openclaw, cwd, runId, message, ...(way === 'agent' && { sessionId }), ...choice }, put);
      return { runId, status: 'started' };
    },
    'chat.abort': () => ({ aborted: task?.stop() ?? false }),
  };
  put({ type: 'keeper', phase: 'connected' });
  if (way === 'agent') put({ type: 'keeper', phase: 'note', text: LIGHT });
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => (task?.stop() ? undefined : process.exit(0)));
  for await (const line of createInterface({ input: process.stdin })) reply(line, answers);
  task?.stop();
  await task?.done;
  process.exit(0);
}

function reply(line: string, answers: Readonly<Record<string, (params: object) => object | string>>): void {
  const request = Request.safeParse(JSON.parse(line));
  if (!request.success) return;
  const { id, method, params } = request.data;
  const answer = answers[method]?.(params) ?? `OpenClaw does not support ${method} without its Gateway`;
  put(typeof answer === 'string' ? { type: 'res', id, ok: false, error: { message: answer } } : { type: 'res', id, ok: true, payload: answer });
}
