import { Interrupted, nextBlock, type TurnState } from './turn-state.ts';

export async function streamBlock(turn: TurnState, kind: 'text' | 'thinking', text: string): Promise<void> {
  if (kind === 'thinking' && turn.settings.thinking === 'off') return;
  const block = nextBlock(turn);
  const sent = await stream(turn, block, { kind, text });
  const interrupted = turn.stopped !== undefined && sent.length < text.length;
  if (kind === 'text') turn.lastText = sent;
  if (kind === 'text' && !turn.inside) turn.texts = [...turn.texts, block.item];
  if (kind === 'text' && sent !== '') turn.print({ type: 'text', ...block, text: sent, ...(interrupted ? { interrupted } : {}) });
  if (kind === 'thinking' && sent !== '') turn.print({ type: 'thinking', ...block, text: sent });
  if (interrupted) throw new Interrupted(turn.stopped);
  await acknowledgeSteering(turn);
  if (sent.length < text.length) await streamBlock(turn, kind, text.slice(sent.length));
}

/** Acknowledges messages that arrived in the meantime, before the text continues. */
export async function acknowledgeSteering(turn: TurnState): Promise<void> {
  for (let text = turn.steering.shift(); text !== undefined; text = turn.steering.shift()) {
    await streamBlock(turn, 'text', `Got your message: “${text}”. I will keep it in mind and continue.`);
  }
}

type Streamed = { readonly kind: 'text' | 'thinking' } | { readonly kind: 'tool_input'; readonly tool: string };

/** Sends word by word and returns what was sent. A tool's input is always sent whole, because half of it would not be valid. */
export async function stream(turn: TurnState, block: ReturnType<typeof nextBlock>, what: Streamed & { readonly text: string }): Promise<string> {
  let offset = 0;
  for (const text of what.text.match(/\S+\s*|\s+/g) ?? []) {
    if (what.kind !== 'tool_input' && shouldPause(turn, what.text.slice(0, offset))) break;
    await turn.pace();
    turn.print({ type: 'delta', ...block, ...what, text, offset });
    offset += text.length;
  }
  return what.text.slice(0, offset);
}

/** Pauses immediately for an interrupt, and at the end of a line for a message. */
const shouldPause = (turn: TurnState, sent: string): boolean => turn.stopped !== undefined || (turn.steering.length > 0 && sent.endsWith('\n'));
