/** A message of ours that the CLI took from a Stop hook: it stores the hook's words as its own line, so the words carry the id of the message. */
export const withMessageId = (text: string, messageId: string): string => `${text}\n\n[signalbox message ${messageId}]`;

const FEEDBACK = /^Stop hook feedback:\n([\s\S]*?)\n\n\[signalbox message ([0-9a-f-]{36})\]\s*$/;

/** The message in such a line (2.1.197, 2.1.325). */
export function messageInFeedback(content: unknown): { readonly text: string; readonly messageId: string } | undefined {
  const [, text, messageId] = (typeof content === 'string' ? FEEDBACK.exec(content) : null) ?? [];
  return text === undefined || messageId === undefined ? undefined : { text, messageId };
}
