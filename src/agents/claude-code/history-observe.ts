import * as z from 'zod/mini';
import { KEPT, type KeptObservation, type Observation } from '../../protocol/observation.ts';
import { ASSISTANT_LINES } from './assistant.ts';
import { answersOf, type Entry, type RecordLine } from './history-entry.ts';
import { isKnownKind, SILENT_SYSTEM } from './history-kinds.ts';
import { initial, nothing, type State, type Step, tell } from './state.ts';
import { SYSTEM_LINES } from './system.ts';
import { contentOf } from './tool-result.ts';
import { unrecognised } from './unrecognised.ts';
import { USER_LINES } from './user.ts';
import { itemOf, stamp } from './wire.ts';

/** What one line tells by itself. */
export const observeOne = (entry: Entry): readonly KeptObservation[] => atOnce(observe([entry]));

/** All steps one after the other. */
export function atOnce<T>(steps: Generator<undefined, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** What the lines of a conversation tell, with the ids that they had when they were printed. */
export function* observe(entries: readonly Entry[]): Generator<undefined, readonly KeptObservation[]> {
  const told: KeptObservation[] = [];
  let state = initial();
  for (const entry of entries) {
    const step = read(state, entry) ?? tell(state, unrecognised(entry.raw, `a line of kind ${entry.line?.type} of another shape`));
    state = step.state;
    told.push(...step.observations.filter(isKept));
    yield;
  }
  return [...told, ...closings(told)];
}

const KEPT_TYPES: ReadonlySet<string> = new Set(KEPT);
const isKept = (observation: Observation): observation is KeptObservation => KEPT_TYPES.has(observation.type);

function read(state: State, entry: Entry): Step | undefined {
  const { line, raw } = entry;
  if (line === undefined) return tell(state, unrecognised(raw, 'no JSON object'));
  if (!isKnownKind(entry)) return tell(state, unrecognised(raw, `a line of the unknown kind ${line.type}`));
  if (line.type === 'assistant') return isOwnRemark(line) ? nothing(state) : ASSISTANT_LINES.assistant?.read(state, line);
  if (line.type === 'user') return userLine(state, entry, line);
  if (line.type === 'attachment') return attachmentLine(state, line);
  return line.type === 'system' ? systemLine(state, line) : nothing(state);
}

/** A resumed CLI writes this below a turn that was cut: its own words, and no answer. */
const isOwnRemark = (line: RecordLine): boolean => line.message?.model === '<synthetic>' && contentOf(line.message.content).output === 'No response requested.';

function userLine(state: State, entry: Entry, line: RecordLine): Step | undefined {
  if (answersOf(entry).length > 0) return USER_LINES.user?.read(state, { ...line, tool_use_result: line.toolUseResult });
  if (line.isCompactSummary) return USER_LINES.user?.read(state, line);
  if (line.isMeta) return nothing(state);
  return saidByUser(state, line, line.message?.content);
}

/** What stood in a prompt: a person's words, a command of theirs, or what came of one. */
function saidByUser(state: State, line: RecordLine, content: unknown): Step | undefined {
  const { output, images } = contentOf(content);
  if (output.startsWith('<local-command-caveat>') || output.startsWith('[Request interrupted by user')) return nothing(state);
  if (output.startsWith('<local-command-std')) return USER_LINES['user/replay']?.read(state, { ...line, message: { content: output } });
  const spoken = {
    type: 'user.message',
    text: commandIn(output) ?? output,
    origin: isFromAgent(line) ? 'agent' : 'elsewhere',
    ...(line.uuid === undefined ? {} : { itemId: itemOf(line.uuid) }),
    ...(images.length > 0 ? { rawImages: images } : {}),
    ...stamp(line),
  } as const;
  return output === '' && images.length === 0 ? nothing(state) : tell(state, spoken);
}

const Origin = z.looseObject({ kind: z.string() });

/** A notification of a background task is written as a prompt. */
function isFromAgent(line: RecordLine): boolean {
  const origin = z.safeParse(Origin, line.origin);
  return origin.success && origin.data.kind !== 'human';
}

function commandIn(text: string): string | undefined {
  const found = /^\s*<command-name>([\s\S]*?)<\/command-name>[\s\S]*?(?:<command-args>([\s\S]*?)<\/command-args>\s*)?$/.exec(text);
  return found === null ? undefined : [found[1], found[2]].filter((part) => part !== undefined && part !== '').join(' ');
}

const Queued = z.looseObject({
  type: z.literal('queued_command'),
  prompt: z.unknown(),
  source_uuid: z.optional(z.string()),
  commandMode: z.optional(z.string()),
});

/** A message that was folded into a running turn; every other attachment is the CLI's own. */
function attachmentLine(state: State, line: RecordLine): Step | undefined {
  const queued = z.safeParse(Queued, line.attachment);
  if (!queued.success) return nothing(state);
  const { prompt, source_uuid, commandMode } = queued.data;
  const said = { ...line, uuid: source_uuid ?? line.uuid, ...(commandMode === 'task-notification' && { origin: { kind: commandMode } }) };
  return saidByUser(state, said, prompt);
}

const Boundary = z.looseObject({
  compactMetadata: z.looseObject({ trigger: z.string(), preTokens: z.optional(z.int()), postTokens: z.optional(z.int()) }),
});

function systemLine(state: State, line: RecordLine): Step | undefined {
  const subtype = line.subtype ?? '';
  if (SILENT_SYSTEM.has(subtype)) return nothing(state);
  if (subtype === 'local_command') return saidByUser(state, line, line.content);
  const boundary = z.safeParse(Boundary, line);
  if (subtype !== 'compact_boundary' || !boundary.success) return undefined;
  const { trigger, preTokens, postTokens } = boundary.data.compactMetadata;
  const compact_metadata = { trigger, pre_tokens: preTokens, post_tokens: postTokens };
  return SYSTEM_LINES['system/compact_boundary']?.read(state, { ...line, compact_metadata });
}

/** A call that was cut off has no result, and nothing may stay open in what is past. */
function closings(told: readonly KeptObservation[]): readonly KeptObservation[] {
  const closed = new Set(told.flatMap((one) => (one.type === 'tool.completed' ? [one.toolUseId] : [])));
  return told.flatMap((one) => {
    if (one.type !== 'tool.started' || closed.has(one.toolUseId)) return [];
    const { toolUseId } = one;
    const identity = { itemId: itemOf(`${toolUseId}:result`), parentItemId: itemOf(toolUseId), toolUseId };
    return [{ type: 'tool.completed', ...identity, output: '', isError: true, closedBy: 'the record has no result of it' } as const];
  });
}
