import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ServerFile } from '../../protocol/api/server-file.ts';
import { ErrorBody } from '../../protocol/http.ts';
import { CliProblem, EXIT } from './command.ts';
import type { CliConfig, CliDeps } from './deps.ts';

/** The running server, as any other program would use it. */
export interface Api {
  readonly url: string;
  readonly token: string;
  /** Throws `CliProblem` with the server's own message when it refuses. */
  ask<S extends z.ZodMiniType>(schema: S, path: string, options?: AskOptions): Promise<z.infer<S>>;
  /** A file of any length: only the headers have a time limit. */
  fetchFile(path: string): Promise<ReadableStream<Uint8Array>>;
}

interface AskOptions {
  readonly method?: string;
  readonly body?: unknown;
  /** For a request that waits for a person. */
  readonly limitMs?: number;
}

/** A request that takes longer means that something is wrong; saying so beats hanging. */
const ASK_MS = 30_000;

/** Whether an agent that Signalbox runs started this command. */
export const isInsideRun = (env: CliDeps['env']): boolean => env.SIGNALBOX_RUN !== undefined;

/** Refuses what only people may do: an agent must never act with the owner's token, though it may be able to read it. */
export function refuseInsideRun(deps: Pick<CliDeps, 'env'>, what: string): void {
  if (isInsideRun(deps.env))
    throw new CliProblem(`An agent can't ${what}. Ask the person you work for to do it in their own terminal.`, { exit: EXIT.refused });
}

function runToken(env: CliDeps['env']): string {
  if (env.SIGNALBOX_RUN_TOKEN !== undefined) return env.SIGNALBOX_RUN_TOKEN;
  throw new CliProblem('This terminal belongs to an agent that has no token of its own. Ask the person you work for to run this in their own terminal.', {
    exit: EXIT.refused,
  });
}

/** SIGNALBOX_URL names a server on another machine; the default is the one running on this data folder. */
export function openApi(deps: CliDeps, config: CliConfig): Api {
  const url = (deps.env.SIGNALBOX_URL ?? runningUrl(config.data)).replace(/\/$/, '');
  const token = isInsideRun(deps.env) ? runToken(deps.env) : (config.token ?? tokenIn(config.data));
  return { url, token, ask: (schema, path, options) => ask({ url, token }, schema, path, options), fetchFile: (path) => fetchFile({ url, token }, path) };
}

export function runningServer(dataDir: string): ServerFile | undefined {
  const text = readIfPresent(join(dataDir, 'server.json'));
  const parsed = text === undefined ? undefined : z.safeParse(ServerFile, jsonOf(text));
  return parsed?.success === true && isAlive(parsed.data.pid) ? parsed.data : undefined;
}

function runningUrl(dataDir: string): string {
  const server = runningServer(dataDir);
  if (server === undefined) throw new CliProblem(`No server is running on ${dataDir}. Start one: signalbox serve`, { isAway: true });
  return server.url;
}

function tokenIn(dataDir: string): string {
  const token = readIfPresent(join(dataDir, 'token'))?.trim();
  if (token === undefined) throw new CliProblem(`No token found in ${dataDir}. Set SIGNALBOX_TOKEN.`);
  return token;
}

/** Tells the audit log that a request came from a terminal. */
export const TERMINAL = { 'x-signalbox-door': 'terminal' };

async function fetchFile({ url, token }: Pick<Api, 'url' | 'token'>, path: string): Promise<ReadableStream<Uint8Array>> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ASK_MS);
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}`, ...TERMINAL }, signal: late.signal }).catch((cause: unknown) => {
    throw noAnswer(url, cause);
  });
  clearTimeout(timer);
  if (!response.ok || response.body === null) throw refusedBy(response.status, jsonOf(await response.text()));
  return response.body;
}

async function ask<S extends z.ZodMiniType>(
  { url, token }: { readonly url: string; readonly token: string },
  schema: S,
  path: string,
  { method = 'GET', body, limitMs = ASK_MS }: AskOptions = {},
): Promise<z.infer<S>> {
  const headers = { authorization: `Bearer ${token}`, ...TERMINAL, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const init = { method, headers, signal: AbortSignal.timeout(limitMs), ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const { status, text } = await textOfAnswer(`${url}${path}`, init).catch((cause: unknown) => {
    throw noAnswer(url, cause);
  });
  const json = jsonOf(text);
  if (status >= 400) throw refusedBy(status, json);
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) throw new CliProblem(`This version doesn't understand the answer from ${url}. Update Signalbox here or there.`, { cause: parsed.error });
  return parsed.data;
}

const HOOK_MS = 1000;

/** With the token of an agent's hooks; undefined when there is none, or no server answers at once. */
export async function askAsHook<S extends z.ZodMiniType>(schema: S, { data }: CliConfig, agent: string, path: string): Promise<z.infer<S> | undefined> {
  const url = runningServer(data)?.url;
  const token = readIfPresent(join(data, 'hooks', `${agent.replaceAll('/', '')}.token`))?.trim();
  return url === undefined || token === undefined ? undefined : ask({ url, token }, schema, path, { limitMs: HOOK_MS }).catch(() => undefined);
}

/** A server that dies between the headers and the body has not answered. */
async function textOfAnswer(address: string, init: RequestInit): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(address, init);
  return { status: response.status, text: await response.text() };
}

const noAnswer = (url: string, cause: unknown): CliProblem => new CliProblem(`No answer from the server at ${url}. Is it running?`, { cause, isAway: true });

/** Without the right to do it, the exit code is 4. A server that starts or stops answers 502 or 503. */
function refusedBy(status: number, json: unknown): CliProblem {
  const exit = status === 401 || status === 403 ? EXIT.refused : EXIT.failed;
  return new CliProblem(messageOf(json) ?? `The server answered with status ${status}`, { exit, status, isAway: status === 502 || status === 503 });
}

function messageOf(json: unknown): string | undefined {
  const parsed = z.safeParse(ErrorBody, json);
  return parsed.success ? parsed.data.error.message : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
