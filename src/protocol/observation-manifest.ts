import * as z from 'zod/mini';
import { EVENTS } from './event.ts';
import { Delta } from './frame.ts';
import { KEPT, type Kept, type Observation } from './observation.ts';

interface Definition {
  readonly type: Observation['type'];
  readonly version: number;
  /** False for text in progress: it is shown and never stored. */
  readonly durable: boolean;
  readonly schema: z.core.$ZodType;
}

const RawImage = z.object({ mediaType: z.string(), base64: z.string() });

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** The fields of an event of this type, except these. */
function fieldsOf(type: string, ...without: readonly string[]): Shape {
  const shape: Shape = EVENTS.find((event) => event.type === type)?.schema.shape ?? {};
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !without.includes(name)));
}

function only(shape: Shape, ...names: readonly string[]): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([name]) => names.includes(name)));
}

/** The event without what only the engine can add: number, time, source, turn and blobs. */
function kept(type: Kept): Definition {
  const fields = fieldsOf(type, 'seq', 'at', 'src', 'turnId', 'actor', 'blobs', 'images');
  const schema = z.strictObject({ ...fields, rawImages: z.optional(z.array(RawImage)), agentAt: z.optional(z.string()), outputFile: z.optional(z.string()) });
  return { type, version: 1, durable: true, schema };
}

const definition = (type: Observation['type'], fields: Shape, durable = true): Definition => ({
  type,
  version: 1,
  durable,
  schema: z.strictObject({ type: z.literal(type), ...fields }),
});

/** Every observation, once: what an adapter can report. Tests check every recording of every adapter against it. */
export const OBSERVATIONS: readonly Definition[] = [
  ...KEPT.map(kept),
  definition('turn.began', { cause: z.string() }),
  definition('turn.ended', { ...fieldsOf('turn.completed', 'type', 'seq', 'at', 'turnId', 'commandId', 'interrupted'), aborted: z.boolean() }),
  definition('input.taken', { inputId: z.string(), text: z.optional(z.string()) }),
  definition('input.dropped', { inputId: z.string(), reason: z.string() }),
  definition(
    'permission.asked',
    only(fieldsOf('permission.requested'), 'agentRequestId', 'toolUseId', 'tool', 'input', 'title', 'suggestions', 'kind', 'subagent', 'subject'),
  ),
  definition('permission.withdrawn', { agentRequestId: z.string(), reason: z.string() }),
  definition('tool.called', { ...only(fieldsOf('tool.asked'), 'tool', 'input'), agentRequestId: z.string(), toolUseId: z.string() }),
  definition('delta', Delta.shape, false),
  definition('delta.dropped', { itemId: z.string() }, false),
  definition('agent.ready', {}, false),
  definition('reply', { to: z.string(), ok: z.boolean(), detail: z.optional(z.string()) }, false),
];
