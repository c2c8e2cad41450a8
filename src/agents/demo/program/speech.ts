import { Interrupted, nextBlock, type Progress } from './progress.ts';

export async function speak(turn: Progress, kind: 'text' | 'thinking', text: string): Promise<void> {
  if (kind === 'thinking' && turn.settings.thinking === 'off') return;
  const block = nextBlock(turn);
  const sent = await stream(turn, block, { kind, text });
  const interrupted = turn.stopped !== undefined && sent.length < text.length;
  if (kind === 'text') turn.said = sent;
  if (kind === 'text' && !turn.inside) turn.texts = [...turn.texts, block.item];
  if (kind === 'text' && sent !== '') turn.print({ type: 'text', ...block, text: sent, ...(interrupted ? { interrupted } : {}) });
  if (kind === 'thinking' && sent !== '') turn.print({ type: 'thinking', ...block, text: sent });
  if (interrupted) throw new Interrupted(turn.stopped);
  await speakOfHeard(turn);
  if (sent.length < text.length) await speak(turn, kind, text.slice(sent.length));
}

/** What a person said in the middle of it is taken up before anything else. */
export async function speakOfHeard(turn: Progress): Promise<void> {
  for (let text = turn.heard.shift(); text !== undefined; text = turn.heard.shift()) {
    await speak(turn, 'text', `I heard you while I work: “${text}”. I keep it in mind and go on.`);
  }
}

type Streamed = { readonly kind: 'text' | 'thinking' } | { readonly kind: 'tool_input'; readonly tool: string };

/** Sends word by word and returns what was sent. A tool's input is always sent whole: half of it would be no item. */
export async function stream(turn: Progress, block: ReturnType<typeof nextBlock>, what: Streamed & { readonly text: string }): Promise<string> {
  let offset = 0;
  for (const text of what.text.match(/\S+\s*|\s+/g) ?? []) {
    if (what.kind !== 'tool_input' && breaksOff(turn, what.text.slice(0, offset))) break;
    await turn.pace();
    turn.print({ type: 'delta', ...block, ...what, text, offset });
    offset += text.length;
  }
  return what.text.slice(0, offset);
}

/** At once when somebody interrupts; at the end of a line when somebody said something. */
const breaksOff = (turn: Progress, sent: string): boolean => turn.stopped !== undefined || (turn.heard.length > 0 && sent.endsWith('\n'));
