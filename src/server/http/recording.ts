import { type Scrubber, scrubberFor, scrubLine } from '../../domain/recording/scrub.ts';
import { RawSide } from '../../protocol/api/raw.ts';
import { RECORDING_VERSION, type RecordingHead, type RecordingLine } from '../../protocol/api/recording.ts';
import type { Session } from '../../protocol/session.ts';
import { readEvents } from './read-events.ts';
import type { Services } from './route.ts';

/** Names of environment variables whose values are secrets. */
const SECRET_NAMES = /TOKEN|SECRET|PASSWORD|PASSWD|KEY|CREDENTIAL/i;

/** Leaves everything as it is. */
const KEEP: Scrubber = { text: (text) => text, value: (value) => value };

/** A session as what its agent printed and got, byte by byte, and the events that came of it: it can be replayed. One JSON value per line. */
export async function* recordingOf(services: Services, session: Session, isScrubbed: boolean): AsyncGenerator<string> {
  const scrubber = isScrubbed ? scrubberFor([...(await services.engine.secretValues(session.id)), ...ownSecrets()]) : KEEP;
  const head: RecordingHead = { format: 'signalbox-recording', version: RECORDING_VERSION, session: { ...session }, scrubbed: isScrubbed };
  yield written(scrubber.value(head));
  // What happens while the file is written belongs to the next one.
  const until = session.lastSeq;
  for (const { run, openedAt } of await services.inspector.raw.runs(session.id)) {
    yield written({ run, openedAt } satisfies RecordingLine);
    for (const side of RawSide.options) {
      for await (const { at, text } of services.inspector.raw.lines(session.id, run, side))
        yield written({ line: { run, side, at, text: isScrubbed ? scrubLine(scrubber, text) : text } } satisfies RecordingLine);
    }
  }
  for await (const events of readEvents(services, session, session.past?.lastSeq ?? 0))
    for (const event of events) if (event.seq <= until) yield written({ event: scrubber.value(event) });
}

const written = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** An agent inherits the server's environment and may print it. */
const ownSecrets = (): readonly string[] =>
  Object.entries(process.env).flatMap(([name, value]) => (value !== undefined && SECRET_NAMES.test(name) ? [value] : []));
