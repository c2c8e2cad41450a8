import { crc32, deflateSync } from 'node:zlib';

/** A clear signal as a PNG: a green disc on a dark board, `size` pixels wide. */
export function drawSignal(size: number): Buffer {
  const rows = Array.from({ length: size }, (_, y) => Buffer.concat([Buffer.of(0), ...Array.from({ length: size }, (__, x) => colorAt(x, y, size))]));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8); // eight bits per channel, RGB, no other options
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]);
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function colorAt(x: number, y: number, size: number): Buffer {
  const distance = Math.hypot(x - size / 2, y - size / 2) / size;
  return distance < 0.3 ? Buffer.of(0x4c, 0xcb, 0x8a) : Buffer.of(0x15, 0x18, 0x1b);
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
