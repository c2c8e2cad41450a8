import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PushMessage } from '../../src/protocol/api/outside/push.ts';

/** A push service and its browser in one: receives messages and decrypts them with the browser's key. */
export interface PushEndpoint {
  /** As the owner of a server would configure it. */
  readonly host: string;
  /** What the browser with this name registers with a server. */
  target(name: string): { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Every message that arrived and could be decrypted, in order. */
  readonly arrived: { readonly name: string; readonly message: PushMessage; readonly headers: IncomingHttpHeaders }[];
  /** Answers to the next requests. Once they are used up, it accepts messages again. */
  readonly answers: { readonly status: number; readonly headers?: Record<string, string> }[];
  close(): Promise<void>;
}

export async function openPushEndpoint(): Promise<PushEndpoint> {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = Buffer.alloc(16, 7);
  const arrived: PushEndpoint['arrived'] = [];
  const answers: PushEndpoint['answers'] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const answer = answers.shift();
    if (answer !== undefined) return void response.writeHead(answer.status, answer.headers).end();
    const message = PushMessage.parse(JSON.parse(opened(body, browser, auth)));
    arrived.push({ name: (request.url ?? '').slice(1), message, headers: request.headers });
    response.writeHead(201).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    arrived,
    answers,
    target: (name) => ({ endpoint: `http://${host}/${name}`, keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') } }),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

/** Decrypts a message as a browser does (RFC 8291, section 3.4). */
export function opened(message: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const [salt, theirs] = [message.subarray(0, 16), message.subarray(21, 86)];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), theirs]);
  const key = Buffer.from(hkdfSync('sha256', browser.computeSecret(theirs), auth, info, 32));
  const derived = (what: string, length: number) => Buffer.from(hkdfSync('sha256', key, salt, Buffer.from(`Content-Encoding: ${what}\0`), length));
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
  decipher.setAuthTag(message.subarray(-16));
  const text = Buffer.concat([decipher.update(message.subarray(86, -16)), decipher.final()]);
  return text.subarray(0, -1).toString();
}
