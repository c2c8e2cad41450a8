import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Adapter, SendIntent, Verdict } from '../../../src/agents/port/adapter.ts';
import { CommandId } from '../../../src/protocol/ids.ts';
import type { Observation } from '../../../src/protocol/observation.ts';
import { WAIT_LIMIT_MS } from '../wait-limit.ts';

type Of<T extends Observation['type']> = Extract<Observation, { type: T }>;

/** Talks to an agent's process through its adapter only: no host, no journal. */
export function talk<State>(adapter: Adapter<State>, child: ChildProcessWithoutNullStreams) {
  const seen: Observation[] = [];
  let state = adapter.initial();
  const listeners = new Set<() => void>();
  let read = 0;
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = new Promise<number | null>((done) => child.on('close', done));
  createInterface(child.stdout).on('line', (line) => {
    const translation = adapter.translate(state, line);
    state = translation.state;
    seen.push(...translation.observations);
    translation.replies.forEach(raw);
    for (const listener of [...listeners]) listener();
  });
  const raw = (line: string) => child.stdin.write(`${line}\n`);
  const send = (intent: SendIntent) => adapter.encode(intent, state).forEach(raw);
  const find = <T extends Observation['type']>(type: T): Of<T> | undefined => {
    const index = seen.findIndex((one, n) => n >= read && one.type === type);
    if (index < 0) return undefined;
    read = index + 1;
    return seen[index] as Of<T>;
  };
  return {
    seen,
    raw,
    send,
    stderr: () => stderr,
    exit: () => exited,
    endInput: () => child.stdin.end(),
    input: (id: string, text: string) => send({ kind: 'input', commandId: CommandId.parse(id), text, images: [], steer: false }),
    answer: (asked: Of<'permission.asked'>, verdict: Verdict) => send({ kind: 'answer', agentRequestId: asked.agentRequestId, input: asked.input, verdict }),
    /** The next observation of this kind after the last one found. */
    next: <T extends Observation['type']>(type: T) =>
      new Promise<Of<T>>((done, fail) => {
        const timer = setTimeout(
          () => fail(new Error(`no ${type} within ${WAIT_LIMIT_MS} ms after ${seen.map((one) => one.type).join(', ')} ${stderr}`)),
          WAIT_LIMIT_MS,
        );
        const check = () => {
          const found = find(type);
          if (!found) return;
          clearTimeout(timer);
          listeners.delete(check);
          done(found);
        };
        listeners.add(check);
        check();
      }),
  };
}
