import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { startTask, type Task } from './task.ts';

const Request = z.looseObject({ id: z.string(), method: z.string(), params: z.looseObject({}) });
const Send = z.object({ message: z.string(), idempotencyKey: z.string(), attachments: z.optional(z.array(z.unknown())) });
const Choice = z.object({ model: z.optional(z.string()), thinkingLevel: z.optional(z.string()) });

const put = (frame: object): void => void process.stdout.write(`${JSON.stringify(frame)}\n`);

/** Answers like the Gateway, as far as one task needs it, so the adapter sees no difference. */
export async function serveTask(cwd: string, openclaw: readonly string[]): Promise<void> {
  const sessionId = randomUUID();
  let choice: z.infer<typeof Choice> = {};
  let task: Task | undefined;
  const answers: Readonly<Record<string, (params: object) => object | string>> = {
    'sessions.create': () => ({ key: sessionId, sessionId }),
    'sessions.messages.subscribe': () => ({}),
    'sessions.patch': (params) => {
      choice = { ...choice, ...Choice.parse(params) };
      return { key: sessionId, entry: { sessionId, permissionMode: 'full', thinkingLevel: choice.thinkingLevel, spawnedCwd: cwd } };
    },
    'chat.send': (params) => {
      const { message, idempotencyKey: runId, attachments = [] } = Send.parse(params);
      if (task !== undefined) return 'an ephemeral session runs only one task: start another session';
      if (attachments.length > 0) return 'an ephemeral session does not accept images';
      task = startTask({ openclaw, cwd, runId, message, ...choice }, put);
      return { runId, status: 'started' };
    },
    'chat.abort': () => ({ aborted: task?.stop() ?? false }),
  };
  put({ type: 'keeper', phase: 'connected' });
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
  const answer = answers[method]?.(params) ?? `an ephemeral session does not support ${method}`;
  put(typeof answer === 'string' ? { type: 'res', id, ok: false, error: { message: answer } } : { type: 'res', id, ok: true, payload: answer });
}
