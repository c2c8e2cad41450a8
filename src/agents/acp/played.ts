import * as z from 'zod/mini';
import { MARK } from './mark.ts';
import { idOf, purposeOf } from './purpose.ts';

/** A message on the wire of a recording, and who sent it. */
const Played = z.object({
  dir: z.string(),
  msg: z.looseObject({
    id: z.optional(z.union([z.string(), z.number()])),
    method: z.optional(z.string()),
    params: z.optional(z.looseObject({ sessionId: z.optional(z.string()), cwd: z.optional(z.string()) })),
  }),
});
type Message = z.infer<typeof Played>['msg'];

/**
 * The lines that an agent printed in a recording, as they would have come to us. Its client asked under numbers: the answers get the ids
 * under which we ask. It sent no marks: each is answered when the message behind it is the next.
 */
export function playedLines(text: string): readonly string[] {
  const ids = new Map<string | number, string>();
  const waiting: string[] = [];
  const lines: string[] = [];
  const mode = text.includes('"session/load"') ? 'resume' : 'new';
  for (const { dir, msg } of text.split('\n').filter(isMessage).map(parse)) {
    if (dir === 'in' && msg.id !== undefined && msg.method !== undefined) {
      const ours = ourId(msg, mode);
      if (ours !== undefined) ids.set(msg.id, ours);
      if (isForeignPrompt(msg, ours) && waiting.push(ours ?? '') === 1) lines.push(markAnswer(waiting[0]));
    }
    if (dir !== 'out') continue;
    const ours = msg.method === undefined && msg.id !== undefined ? ids.get(msg.id) : undefined;
    lines.push(JSON.stringify(ours === undefined ? msg : { ...msg, id: ours }));
    if (ours === undefined || ours !== waiting[0]) continue;
    waiting.shift();
    if (waiting[0] !== undefined) lines.push(markAnswer(waiting[0]));
  }
  return lines;
}

const isMessage = (line: string): boolean => line.includes('"jsonrpc"') && !line.includes('"dir":"err"');
const parse = (line: string) => z.parse(Played, JSON.parse(line));
const isForeignPrompt = (msg: Message, ours: string | undefined): boolean => msg.method === 'session/prompt' && ours !== undefined && ours !== msg.id;

function ourId({ id, method, params }: Message, mode: 'new' | 'resume'): string | undefined {
  if (typeof id === 'string' && method === 'session/prompt' && purposeOf(id) !== undefined) return id;
  const wish = { cwd: params?.cwd ?? '/home/dev/proj', mode, sessionId: params?.sessionId ?? 'none', can: ['resume', 'images'] };
  if (method === 'initialize') return idOf({ for: 'hello', wish });
  if (method === 'session/new') return idOf({ for: 'new', wish });
  if (method === 'session/load') return idOf({ for: 'load', wish });
  return method === 'session/prompt' ? idOf({ for: 'input', inputId: `input ${id}`, isSlash: false }) : undefined;
}

function markAnswer(promptId: string | undefined): string {
  const purpose = purposeOf(promptId ?? null);
  const inputId = purpose?.for === 'input' ? purpose.inputId : 'none';
  return JSON.stringify({ jsonrpc: '2.0', id: idOf({ for: 'begin', inputId }), error: { code: -32_601, message: `"Method not found": ${MARK}` } });
}
