import { createInterface } from 'node:readline/promises';
import { lineSetting, lineText } from '../../domain/queue/line-text.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import type { RequestId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { EXIT } from './command.ts';
import type { CliDeps } from './deps.ts';
import { paintFor, printable } from './paint.ts';
import { createTranscriptPrinter } from './transcript-printer.ts';

interface TurnWatch {
  frame(frame: ServerFrame, text: string): void;
  /** The exit code of the turn. */
  readonly ended: Promise<number>;
  close(): void;
}

interface WatchOptions {
  readonly asJson: boolean;
  readonly policy: 'allow' | 'deny' | 'ask';
  /** Events up to here are in the past and are not printed. */
  readonly afterSeq: number;
  readonly answer: (requestId: RequestId, behavior: 'allow' | 'deny') => void;
}

/** Prints what happens, answers requests, and knows when the turn is over. */
export function watchTurn(deps: CliDeps, options: WatchOptions): TurnWatch {
  const printer = createTranscriptPrinter((text) => void deps.stdout.write(text), paintFor(deps, deps.stdout));
  const asked = new Set<RequestId>();
  const closing = new AbortController();
  let lastSeq = options.afterSeq;
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  let shownPlace: number | undefined;
  const showLine = ({ placeInLine, lineLimit }: Session): void => {
    if (placeInLine !== undefined && lineLimit !== undefined && placeInLine !== shownPlace)
      deps.stderr.write(`${lineText(placeInLine, lineLimit)}. Change the limit with ${lineSetting(lineLimit)}.\n`);
    shownPlace = placeInLine;
  };
  const event = (each: Event): void => {
    if (each.seq <= lastSeq) return;
    lastSeq = each.seq;
    if (!options.asJson) printer.event(each);
    if (each.type === 'permission.requested' && !asked.has(each.requestId)) void decide(deps, options, each, asked, closing.signal);
    const code = exitCodeOf(each);
    if (code !== undefined) end(code);
  };
  return {
    ended,
    close: () => closing.abort(),
    frame: (frame, text) => {
      if (options.asJson) deps.stdout.write(`${text}\n`);
      if ((frame.type === 'snapshot' || frame.type === 'status') && frame.session !== undefined) showLine(frame.session);
      if (frame.type === 'snapshot') for (const each of frame.events) event(each);
      if (frame.type === 'snapshot' && !options.asJson) for (const each of frame.partial) printer.delta(each);
      if (frame.type === 'event') event(frame.event);
      if (frame.type === 'delta' && !options.asJson) printer.delta(frame);
      if (frame.type === 'refused') deps.stderr.write(`${frame.message}\n`);
      if (frame.type === 'status' && frame.deleted === true) end(EXIT.failed);
    },
  };
}

async function decide(
  deps: CliDeps,
  { policy, answer }: WatchOptions,
  request: EventOf<'permission.requested'>,
  asked: Set<RequestId>,
  signal: AbortSignal,
): Promise<void> {
  asked.add(request.requestId);
  if (policy !== 'ask') return answer(request.requestId, policy);
  if (deps.stdin.isTTY !== true) {
    deps.stderr.write(`Needs your answer: signalbox answer ${request.requestId} --allow (or --deny)\n`);
    return;
  }
  const reader = createInterface({ input: deps.stdin });
  try {
    deps.stderr.write(`${printable(JSON.stringify(request.input, null, 2))}\nAllow? [y/N] `);
    const reply = await reader.question('', { signal });
    answer(request.requestId, /^y(es)?$/i.test(reply.trim()) ? 'allow' : 'deny');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    reader.close();
  }
}

/** The turn's own result; a session that ends without one has failed. */
function exitCodeOf(event: Event): number | undefined {
  if (event.type === 'turn.completed') return event.isError || event.interrupted ? EXIT.failed : EXIT.ok;
  const hasStopped = event.type === 'session.status' && (event.status === 'failed' || event.status === 'ended');
  return hasStopped || event.type === 'session.deleted' ? EXIT.failed : undefined;
}
