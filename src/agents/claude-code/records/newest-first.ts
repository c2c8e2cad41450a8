import { isObject } from '../../formats/shape.ts';
import type { PastMessage } from '../../port/adapter.ts';
import { type RecordLine, readLine, textIn } from './entry.ts';

/**
 * The conversation from its last line back through the parents. A parent is always above its children, so one pass is enough;
 * a line that doesn't contain the wanted id isn't parsed.
 */
export function* backwards(text: string): Generator<PastMessage> {
  let wanted: string | null | undefined;
  for (const raw of linesFromEnd(text)) {
    if (wanted !== undefined && wanted !== null && !raw.includes(wanted)) continue;
    const { line } = readLine(raw);
    const { uuid, parentUuid } = line ?? {};
    if (line === undefined || uuid === undefined || parentUuid === undefined || line.isSidechain) continue;
    if (wanted !== undefined && uuid !== wanted) continue;
    yield messageOf(line, uuid);
    wanted = parentUuid ?? line.logicalParentUuid ?? null;
    if (wanted === null) return;
  }
}

function* linesFromEnd(text: string): Generator<string> {
  for (let end = text.length; end > 0; ) {
    const from = text.lastIndexOf('\n', end - 1) + 1;
    if (from < end) yield text.slice(from, end);
    end = from - 1;
  }
}

/** A message that joined a running turn is an attachment that names it; the CLI can only continue after messages. */
function messageOf(line: RecordLine, uuid: string): PastMessage {
  const { attachment } = line.fields;
  const joined = isObject(attachment) && attachment.type === 'queued_command' ? textIn(attachment.source_uuid) : undefined;
  return joined === undefined ? { id: uuid, canContinue: line.type === 'user' || line.type === 'assistant' } : { id: joined, canContinue: false };
}
