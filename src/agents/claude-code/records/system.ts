import type { Observation } from '../../../protocol/observation.ts';
import { isObject } from '../../formats/shape.ts';
import { initial } from '../lines/state.ts';
import { SYSTEM_LINES } from '../lines/system.ts';
import { stamp } from '../lines/wire.ts';
import { type RecordLine, textIn } from './entry.ts';
import { SHOWN_SYSTEM, SILENT_SYSTEM } from './line-kinds.ts';
import { observePrompt } from './prompts.ts';

/** Observations from a line of the CLI itself; undefined when it doesn't have the known shape. */
export function systemLine(line: RecordLine): readonly Observation[] | undefined {
  const subtype = line.subtype ?? '';
  if (SILENT_SYSTEM.has(subtype)) return [];
  if (SHOWN_SYSTEM.has(subtype)) return shown(line);
  if (subtype === 'api_error') return retried(line);
  if (subtype === 'local_command') return observePrompt(line, line.fields.content);
  return subtype === 'compact_boundary' ? compacted(line) : undefined;
}

function shown(line: RecordLine): readonly Observation[] {
  const text = textIn(line.fields.content);
  const { level } = line.fields;
  return text === undefined ? [] : [{ type: 'notice.shown', level: level === 'warning' || level === 'error' ? level : 'info', text, ...stamp(line) }];
}

/** The API failed and the CLI retries. Only terminals write this; known from the program, not from a recording. */
function retried(line: RecordLine): readonly Observation[] | undefined {
  const { retryAttempt, maxRetries, retryInMs, error } = line.fields;
  if (typeof retryAttempt !== 'number' || !Number.isSafeInteger(retryAttempt)) return undefined;
  const most = typeof maxRetries === 'number' && Number.isSafeInteger(maxRetries) ? { maxAttempts: maxRetries } : {};
  const delay = typeof retryInMs === 'number' && Number.isFinite(retryInMs) ? { delayMs: retryInMs } : {};
  return [{ type: 'retry.reported', attempt: retryAttempt, ...most, ...delay, error: errorIn(error), ...stamp(line) }];
}

function errorIn(error: unknown): string {
  if (!isObject(error)) return textIn(error) ?? 'the API failed';
  const status = typeof error.status === 'number' ? ` (${error.status})` : '';
  return `${textIn(error.message) ?? textIn(error.formatted) ?? 'the API failed'}${status}`;
}

function compacted(line: RecordLine): readonly Observation[] | undefined {
  const { compactMetadata } = line.fields;
  if (!isObject(compactMetadata)) return undefined;
  const { trigger, preTokens, postTokens } = compactMetadata;
  const compact_metadata = { trigger, pre_tokens: preTokens, post_tokens: postTokens };
  return SYSTEM_LINES['system/compact_boundary']?.read(initial(), { uuid: line.uuid, timestamp: line.timestamp, compact_metadata })?.observations;
}
