import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

// What an agent in a terminal starts as its hook; bin/signalbox-hook checks first whether there is anything to do. It loads nothing but Node, prints only what
// the agent should do, and always exits with 0: whatever goes wrong here, the terminal continues as if there were no hook.

/** With a server that hangs, a hook delays its agent by no more than this. */
const SHORT_MS = 1500;
/** The dialog in the terminal is there meanwhile, so a request can take its time. */
const ASK_MS = 15_000;
const WAIT_MS = 25_000;
/** While the server restarts. */
const RETRY_MS = 500;
const AWAY_MS = 10 * 60_000;

const [dataDir = '', agent = '', does = '', stay = '0'] = process.argv.slice(2);

// The agent ends a hook whose dialog somebody answered in the terminal; closing the connection tells the server.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));

try {
  await run();
} catch {
  // Fails open.
}
process.exit(0);

async function run(): Promise<void> {
  const payload: unknown = JSON.parse(await input());
  const askId = randomUUID();
  if (does === 'ask') return ask(askId, { agent, askId, payload });
  const stayMs = does === 'stop' ? Number(stay) : 0;
  const reply = await send('POST', '/api/hooks/event', SHORT_MS + stayMs, { agent, askId, payload, ...(stayMs > 0 && { stayMs }) });
  print(reply.output);
}

async function ask(askId: string, body: object): Promise<void> {
  const folder = join(dataDir, 'hooks', 'open');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const mark = join(folder, askId);
  writeFileSync(mark, '', { mode: 0o600 });
  process.on('exit', () => rmSync(mark, { force: true }));
  if ((await send('POST', '/api/hooks/permission', ASK_MS, body)).sessionId === undefined) return;
  let lastHeard = Date.now();
  for (;;) {
    const answer = await send('GET', `/api/hooks/permission/${askId}?timeout=${WAIT_MS}`, WAIT_MS + ASK_MS).catch(() => undefined);
    if (answer !== undefined) lastHeard = Date.now();
    if (answer?.state === 'answered') return print(answer.output);
    if (answer !== undefined && answer.state !== 'open') return;
    if (Date.now() - lastHeard > AWAY_MS) return;
    if (answer === undefined) await pause(RETRY_MS);
  }
}

interface Reply {
  readonly sessionId?: unknown;
  readonly state?: unknown;
  readonly output?: unknown;
}

/** The address and the token are read each time: a restarted server can have another port. */
function send(method: string, path: string, limitMs: number, body?: object): Promise<Reply> {
  const { url }: { readonly url: string } = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'));
  const token = readFileSync(join(dataDir, 'hooks', `${agent}.token`), 'utf8').trim();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = { authorization: `Bearer ${token}`, 'x-signalbox-door': 'hook', ...(text !== undefined && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    // Its own certificate is not checked: the address is this machine's.
    const start = url.startsWith('https:') ? secureRequest : request;
    const sent = start(`${url}${path}`, { method, headers, rejectUnauthorized: false }, (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        received += piece;
      });
      response.on('error', reject).on('end', () => (response.statusCode === 200 ? resolve(JSON.parse(received)) : reject(new Error(`${response.statusCode}`))));
    });
    const timer = setTimeout(() => sent.destroy(new Error('too slow')), limitMs);
    sent.on('error', reject).on('close', () => clearTimeout(timer));
    sent.end(text);
  });
}

function print(output: unknown): void {
  if (typeof output === 'string') process.stdout.write(`${output}\n`);
}

async function input(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
  return text;
}
