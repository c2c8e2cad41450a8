import * as z from 'zod/mini';

const ContentBlock = z.looseObject({ type: z.string(), text: z.optional(z.string()) });
const Message = z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(ContentBlock)]) });

/** The parts of a Messages API request that select the answer. */
export const MessagesBody = z.looseObject({
  model: z.optional(z.string()),
  stream: z.optional(z.boolean()),
  messages: z.array(Message),
  system: z.optional(z.union([z.string(), z.array(ContentBlock)])),
  tools: z.optional(z.array(z.looseObject({ name: z.string() }))),
  output_config: z.optional(z.looseObject({ format: z.optional(z.unknown()) })),
});
export type MessagesBody = z.infer<typeof MessagesBody>;

/** The scenario of a request, and its progress. */
export interface Scene {
  /** `WRITE` for `@WRITE notes.md`; `PLAIN` when no keyword was given. */
  readonly keyword: string;
  readonly argument: string;
  /** Assistant messages since the keyword. */
  readonly step: number;
  /** Earlier requests with the same conversation: retries after an error. */
  readonly attempt: number;
  readonly prompt: string;
  /** The folder that the CLI says it works in; empty when it doesn't say. */
  readonly folder: string;
  readonly hasTools: boolean;
  readonly streams: boolean;
}

const KEYWORD = /@([A-Z][A-Z0-9]+)[ \t]*([^\n@]*)/g;

export function readScene(body: MessagesBody, attempt: number): Scene {
  const prompt = lastPrompt(body);
  const { keyword, argument } = sideCall(body) ?? keywordOf(prompt.text);
  return {
    keyword,
    argument,
    step: body.messages.slice(prompt.index + 1).filter((message) => message.role === 'assistant').length,
    attempt,
    prompt: prompt.text,
    folder: folderOf(body),
    hasTools: (body.tools?.length ?? 0) > 0,
    streams: body.stream === true,
  };
}

/** A person's last message that names a scenario, or else their last message. */
function lastPrompt(body: MessagesBody): { index: number; text: string } {
  const written = body.messages
    .map((message, index) => ({ index, role: message.role, text: textOf(message.content) }))
    .filter((message) => message.role === 'user' && message.text !== '');
  return written.findLast((message) => message.text.search(KEYWORD) >= 0) ?? written.at(-1) ?? { index: -1, text: '' };
}

function keywordOf(text: string): { keyword: string; argument: string } {
  const last = [...text.matchAll(KEYWORD)].at(-1);
  return last?.[1] ? { keyword: last[1], argument: (last[2] ?? '').trim() } : { keyword: 'PLAIN', argument: text };
}

// Claude Code 2.1.197 names its folder in the system prompt, 2.1.325 in a reminder among the messages.
function folderOf(body: MessagesBody): string {
  const text = JSON.stringify([body.system, body.messages]);
  return /working directory: ([^\s"\\]+)/i.exec(text)?.[1] ?? '';
}

/** Requests that a CLI makes for its own purposes, seen with Claude Code 2.1.197. */
function sideCall(body: MessagesBody): { keyword: string; argument: string } | undefined {
  if (!body.tools?.length && body.output_config?.format) return { keyword: 'TITLE', argument: '' };
  const last = textOf(body.messages.at(-1)?.content ?? '');
  return last.includes('create a detailed summary') ? { keyword: 'SUMMARY', argument: '' } : undefined;
}

function textOf(content: string | readonly z.infer<typeof ContentBlock>[]): string {
  const text = typeof content === 'string' ? content : content.flatMap((block) => (block.type === 'text' && block.text ? [block.text] : [])).join('\n');
  return text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim();
}
