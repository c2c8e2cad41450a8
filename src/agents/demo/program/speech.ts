import { Interrupted, nextBlock, type Progress } from './progress.ts';

export async function speak(turn: Progress, kind: 'text' | 'thinking', text: string): Promise<void> {
  const block = nextBlock(turn);
  const sent = await stream(turn, block, { kind, text });
  const interrupted = sent.length < text.length;
  if (kind === 'text') turn.said = sent;
  if (kind === 'text' && sent !== '') turn.print({ type: 'text', ...block, text: sent, ...(interrupted ? { interrupted } : {}) });
  if (kind === 'thinking' && sent !== '') turn.print({ type: 'thinking', ...block, text: sent });
  if (interrupted) throw new Interrupted(turn.stopped);
}

type Streamed = { readonly kind: 'text' | 'thinking' } | { readonly kind: 'tool_input'; readonly tool: string };

/** Sends word by word and returns what was sent. A tool's input is always sent whole: half of it would be no item. */
export async function stream(turn: Progress, block: ReturnType<typeof nextBlock>, what: Streamed & { readonly text: string }): Promise<string> {
  let offset = 0;
  for (const text of what.text.match(/\S+\s*|\s+/g) ?? []) {
    if (turn.stopped !== undefined && what.kind !== 'tool_input') break;
    await turn.pace();
    turn.print({ type: 'delta', ...block, ...what, text, offset });
    offset += text.length;
  }
  return what.text.slice(0, offset);
}
