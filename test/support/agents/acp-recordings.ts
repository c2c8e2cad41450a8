import * as z from 'zod/mini';
import { PROBE_METHOD } from '../../../src/agents/acp/probe.ts';
import { idOf, purposeOf } from '../../../src/agents/acp/request-id.ts';

/** A message on the wire of a recording, and who sent it. */
const RecordedLine = z.object({
  dir: z.string(),
  msg: z.looseObject({
    id: z.optional(z.union([z.string(), z.number()])),
    method: z.optional(z.string()),
    params: z.optional(z.looseObject({ sessionId: z.optional(z.string()), cwd: z.optional(z.string()) })),
  }),
});
type Message = z.infer<typeof RecordedLine>['msg'];

/**
 * The lines that an agent printed in a recording, as we would have received them. The recording's client used numbers as request ids: the answers
 * get our ids instead. It sent no probes: each is answered right before the message that follows it.
 */
export function recordedLines(text: string): readonly string[] {
  const ids = new Map<string | number, string>();
  const waiting: string[] = [];
  const lines: string[] = [];
  const mode = text.includes('"session/load"') ? 'resume' : 'new';
  for (const { dir, msg } of text.split('\n').filter(isMessage).map(parse)) {
    if (dir === 'in' && msg.id !== undefined && msg.method !== undefined) {
      const ours = ourId(msg, mode);
      if (ours !== undefined) ids.set(msg.id, ours);
      if (isForeignPrompt(msg, ours) && waiting.push(ours ?? '') === 1) lines.push(probeAnswer(waiting[0]));
    }
    if (dir !== 'out') continue;
    const ours = msg.method === undefined && msg.id !== undefined ? ids.get(msg.id) : undefined;
    lines.push(JSON.stringify(ours === undefined ? msg : { ...msg, id: ours }));
    if (ours === undefined || ours !== waiting[0]) continue;
    waiting.shift();
    if (waiting[0] !== undefined) lines.push(probeAnswer(waiting[0]));
  }
  return lines;
}

const isMessage = (line: string): boolean => line.includes('"jsonrpc"') && !line.includes('"dir":"err"');
const parse = (line: string) => z.parse(RecordedLine, JSON.parse(line));
const isForeignPrompt = (msg: Message, ours: string | undefined): boolean => msg.method === 'session/prompt' && ours !== undefined && ours !== msg.id;

function ourId({ id, method, params }: Message, mode: 'new' | 'resume'): string | undefined {
  if (typeof id === 'string' && method === 'session/prompt' && purposeOf(id) !== undefined) return id;
  const options = { cwd: params?.cwd ?? '/home/dev/proj', mode, sessionId: params?.sessionId ?? 'none', can: ['resume', 'images'] };
  if (method === 'initialize') return idOf({ for: 'hello', wish: options });
  if (method === 'session/new') return idOf({ for: 'new', wish: options });
  if (method === 'session/load') return idOf({ for: 'load', wish: options });
  return method === 'session/prompt' ? idOf({ for: 'input', inputId: `input ${id}`, isSlash: false }) : undefined;
}

function probeAnswer(promptId: string | undefined): string {
  const purpose = purposeOf(promptId ?? null);
  const inputId = purpose?.for === 'input' ? purpose.inputId : 'none';
  return JSON.stringify({ jsonrpc: '2.0', id: idOf({ for: 'begin', inputId }), error: { code: -32_601, message: `"Method not found": ${PROBE_METHOD}` } });
}
