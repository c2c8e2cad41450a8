import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { withoutOdd } from '../../protocol/odd-characters.ts';
import { type Candidate, type DescribedCommand, wantedBy } from './wanted.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** More would not help anybody to choose. */
const MOST_SESSIONS = 200;
/** A person presses Tab and waits. */
const LIMIT_MS = 1000;
const ABOUT_CHARS = 70;

/**
 * What the last of these words can be, one line each: the word, a tab, what it means; or `:file`. Whatever fails, there are just fewer lines: pressing Tab must
 * not disturb what a person types. It asks only a server on this machine, and loads nothing but this file.
 */
export async function complete(env: Environment, commands: readonly DescribedCommand[], words: readonly string[]): Promise<string> {
  const wanted = wantedBy(commands, words);
  if (wanted.kind === 'file') return ':file\n';
  const candidates = wanted.kind === 'words' ? wanted.candidates : await sessionsWith(env, wanted.start).catch(() => []);
  return candidates
    .map(
      ({ word, about }) =>
        `${word}\t${withoutOdd(about, () => ' ')
          .replace(/[\n\t]/g, ' ')
          .slice(0, ABOUT_CHARS)}\n`,
    )
    .join('');
}

async function sessionsWith(env: Environment, start: string): Promise<readonly Candidate[]> {
  const data = env.SIGNALBOX_DATA ?? join(env.XDG_DATA_HOME || join(env.HOME ?? '', '.local/share'), 'signalbox');
  const url = new URL(`${addressIn(env, data)}/api/sessions?limit=${MOST_SESSIONS}`);
  if (!['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname) || url.protocol !== 'http:') return [];
  const { sessions } = objectIn(await textOf(url, tokenIn(env, data)));
  return (Array.isArray(sessions) ? sessions : [])
    .map(objectOf)
    .flatMap(({ id, title, status }) => (typeof id === 'string' && id.startsWith(start) ? [{ word: id, about: `${title} (${status})` }] : []));
}

function addressIn(env: Environment, data: string): string {
  const address = env.SIGNALBOX_URL ?? objectIn(readFileSync(join(data, 'server.json'), 'utf8')).url;
  return String(address).replace(/\/$/, '');
}

/** An agent's terminal has only the token of its run. */
function tokenIn(env: Environment, data: string): string {
  if (env.SIGNALBOX_RUN !== undefined) return env.SIGNALBOX_RUN_TOKEN ?? '';
  return env.SIGNALBOX_TOKEN ?? readFileSync(join(data, 'token'), 'utf8').trim();
}

/** With `node:http`: loading `fetch` takes longer than the request. */
function textOf(url: URL, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { authorization: `Bearer ${token}` }, timeout: LIMIT_MS }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
    });
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
  });
}

const objectIn = (text: string): Record<string, unknown> => objectOf(JSON.parse(text));
const objectOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {});
