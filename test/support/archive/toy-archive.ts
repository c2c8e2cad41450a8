import * as z from 'zod/mini';
import type { AgentArchive, PastLine } from '../../../src/agents/port/archive.ts';
import type { AgentId } from '../../../src/protocol/ids.ts';
import type { KeptObservation, RawImage } from '../../../src/protocol/observation.ts';

/** A line of the toy's records. Every field is optional. */
const ToyLine = z.object({
  id: z.optional(z.string()),
  parent: z.optional(z.nullable(z.string())),
  joins: z.optional(z.boolean()),
  at: z.optional(z.string()),
  say: z.optional(z.string()),
  ask: z.optional(z.string()),
  call: z.optional(z.string()),
  result: z.optional(z.string()),
  /** Several texts in one line. */
  texts: z.optional(z.array(z.string())),
  image: z.optional(z.string()),
  title: z.optional(z.string()),
  cwd: z.optional(z.string()),
  tokens: z.optional(z.number()),
  continues: z.optional(z.object({ agentSessionId: z.string(), upTo: z.optional(z.string()) })),
});
export type ToyLine = z.infer<typeof ToyLine>;

export const TOY = 'toy' as AgentId;

/** An agent whose records tests can write easily: `<session>.jsonl`, `<session>/parts/<part>.jsonl` with a `.meta` next to it, and `all.sqlite`. */
export function toyArchive(root: string, changes: Partial<AgentArchive> = {}): AgentArchive {
  return { version: 1, roots: () => [root], recordOf, readFacts, read, ...changes };
}

const DATABASE = {
  kind: 'database',
  conversations: 'SELECT conversation AS id, max(row) AS lastRow FROM rows GROUP BY conversation',
  rows: 'SELECT row, line, packed FROM rows WHERE conversation = ?1 AND row > ?2 ORDER BY row LIMIT ?3',
} as const;

function recordOf(path: string): ReturnType<AgentArchive['recordOf']> {
  if (path === 'all.sqlite') return DATABASE;
  const part = /^(?:.*\/)?(\w+)\/parts\/(\w+)\.jsonl$/.exec(path);
  if (part?.[1] !== undefined && part[2] !== undefined) {
    return { kind: 'lines', agentSessionId: part[1], part: part[2], companion: path.replace(/jsonl$/, 'meta') };
  }
  const own = /^(?:.*\/)?(\w+)\.jsonl$/.exec(path)?.[1];
  return own === undefined ? undefined : { kind: 'lines', agentSessionId: own };
}

function readFacts(head: string): ReturnType<AgentArchive['readFacts']> {
  const first = head
    .split('\n')
    .map(parsed)
    .find((line) => line?.ask !== undefined);
  return first?.ask === undefined ? {} : { title: first.ask };
}

function read(text: string, { companion }: { readonly companion?: string }): PastLine {
  const line = parsed(text);
  if (line === undefined) return { observations: [{ type: 'unrecognised', raw: text, reason: 'broken' }] };
  const under = companion === undefined ? {} : { parentToolUseId: companion.trim() };
  return {
    ...(line.id !== undefined && { node: { id: line.id, parent: line.parent ?? null, ...(line.joins && { joins: true }) } }),
    observations: observationsOf(line).map(
      (one): KeptObservation => ({ ...one, ...under, ...(line.at !== undefined && { agentAt: line.at }) }) as KeptObservation,
    ),
    ...((line.title ?? line.cwd) !== undefined && { facts: { ...(line.title && { title: line.title, named: true }), ...(line.cwd && { cwd: line.cwd }) } }),
    ...(line.tokens !== undefined && { spent: { ...(line.at && { at: line.at }), usage: usage(line.tokens) } }),
    ...(line.continues && { continues: continuesOf(line.continues) }),
  };
}

const continuesOf = ({ agentSessionId, upTo }: { agentSessionId: string; upTo?: string | undefined }) => ({ agentSessionId, ...(upTo && { upTo }) });

const usage = (tokens: number) => ({ inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });

function observationsOf(line: ToyLine): readonly KeptObservation[] {
  const images: readonly RawImage[] = line.image === undefined ? [] : [{ mediaType: 'image/png', base64: line.image }];
  const texts = [...(line.say === undefined ? [] : [line.say]), ...(line.texts ?? [])];
  return [
    ...(line.ask === undefined
      ? []
      : [{ type: 'user.message', origin: 'elsewhere', text: line.ask, ...(images.length > 0 && { rawImages: images }) } as const]),
    ...texts.map((text, index) => ({ type: 'assistant.text', messageId: line.id ?? 'm', index, text }) as const),
    ...(line.call === undefined ? [] : [{ type: 'tool.started', toolUseId: line.call, name: 'Tool', input: {} } as const]),
    ...(line.result === undefined ? [] : [{ type: 'tool.completed', toolUseId: line.result, output: 'done', isError: false } as const]),
  ];
}

function parsed(text: string): ToyLine | undefined {
  try {
    const result = z.safeParse(ToyLine, JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}
