import * as z from 'zod/mini';
import { RunId, SessionId } from '../ids.ts';
import { RawSide } from './raw.ts';

/** Increased with every change that readers must know about. */
export const RECORDING_VERSION = 1;

/** The first line of a recording. */
export const RecordingHead = z.object({
  format: z.literal('signalbox-recording'),
  version: z.literal(RECORDING_VERSION),
  session: z.looseObject({ id: SessionId, agent: z.string() }),
  /** Secrets are replaced by marks. */
  scrubbed: z.boolean(),
});
export type RecordingHead = z.infer<typeof RecordingHead>;

/** Any further line: a run, a line of it with the byte at which it starts, or an event. */
export const RecordingLine = z.union([
  z.object({ run: RunId, openedAt: z.string() }),
  z.object({ line: z.object({ run: RunId, side: RawSide, at: z.int(), text: z.string() }) }),
  z.object({ event: z.record(z.string(), z.unknown()) }),
]);
export type RecordingLine = z.infer<typeof RecordingLine>;
