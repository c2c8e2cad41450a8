import type { Event } from '../../protocol/event.ts';
import type { Delta, ServerFrame } from '../../protocol/frame.ts';
import type { SessionId } from '../../protocol/ids.ts';

/**
 * A frame as sent over the wire, header included. Servers don't mask frames, so the same bytes serve
 * every client and are built once, however many watch.
 */
export type WireFrame = Buffer;

export const wireFrame = (frame: ServerFrame): WireFrame => wireText(JSON.stringify(frame));

/** A session id needs no escaping: its schema only allows letters, digits, `_` and `-`. */
export const eventFrame = (sessionId: SessionId, event: Event): WireFrame =>
  wireText(`{"type":"event","sessionId":"${sessionId}","seq":${event.seq},"event":${JSON.stringify(event)}}`);

export const deltaFrame = (sessionId: SessionId, delta: Delta): WireFrame =>
  wireText(`{"type":"delta","sessionId":"${sessionId}",${JSON.stringify(delta).slice(1)}`);

const FIN_TEXT = 0x81;

/** RFC 6455, section 5.2: one unfragmented, unmasked text frame. */
export function wireText(text: string): WireFrame {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = FIN_TEXT;
  if (head === 2) frame[1] = length;
  if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  }
  if (head === 10) {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, head, 'utf8');
  return frame;
}
