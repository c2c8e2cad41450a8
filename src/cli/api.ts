import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ServerFile } from '../protocol/api/server-file.ts';
import { ErrorBody } from '../protocol/http.ts';
import { CliProblem } from './command.ts';
import type { CliConfig, CliDeps } from './deps.ts';

/** The running server, as any other program would use it. */
export interface Api {
  readonly url: string;
  readonly token: string;
  /** Throws `CliProblem` with the server's own words when it refuses. */
  ask<S extends z.ZodMiniType>(schema: S, path: string, options?: { readonly method?: string; readonly body?: unknown }): Promise<z.infer<S>>;
  /** An answer that is a file, of any length; the headers must come in time, the rest may take as long as it takes. */
  fetchFile(path: string): Promise<ReadableStream<Uint8Array>>;
}

/** A request that takes longer than this means that something is wrong, and it is better said. */
const ASK_MS = 30_000;

/** SIGNALBOX_URL names a server elsewhere; otherwise the one that runs on this data folder. */
export function openApi(deps: CliDeps, config: CliConfig): Api {
  const url = (deps.env.SIGNALBOX_URL ?? runningUrl(config.data)).replace(/\/$/, '');
  const token = config.token ?? tokenIn(config.data);
  return { url, token, ask: (schema, path, options) => ask({ url, token }, schema, path, options), fetchFile: (path) => fetchFile({ url, token }, path) };
}

export function runningServer(dataDir: string): ServerFile | undefined {
  const text = readIfThere(join(dataDir, 'server.json'));
  const parsed = text === undefined ? undefined : z.safeParse(ServerFile, jsonOf(text));
  return parsed?.success === true && isAlive(parsed.data.pid) ? parsed.data : undefined;
}

function runningUrl(dataDir: string): string {
  const server = runningServer(dataDir);
  if (server === undefined) throw new CliProblem(`No server runs on ${dataDir}. Start one with: signalbox serve`);
  return server.url;
}

function tokenIn(dataDir: string): string {
  const token = readIfThere(join(dataDir, 'token'))?.trim();
  if (token === undefined) throw new CliProblem(`There is no token in ${dataDir}; give one in SIGNALBOX_TOKEN`);
  return token;
}

/** Says to the audit that a person came through this program. */
export const TERMINAL = { 'x-signalbox-door': 'terminal' };

async function fetchFile({ url, token }: Pick<Api, 'url' | 'token'>, path: string): Promise<ReadableStream<Uint8Array>> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ASK_MS);
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}`, ...TERMINAL }, signal: late.signal }).catch((cause: unknown) => {
    throw new CliProblem(`The server at ${url} does not answer`, { cause });
  });
  clearTimeout(timer);
  if (!response.ok || response.body === null) throw new CliProblem(wordsOf(jsonOf(await response.text())) ?? `The server answered ${response.status}`);
  return response.body;
}

async function ask<S extends z.ZodMiniType>(
  { url, token }: { readonly url: string; readonly token: string },
  schema: S,
  path: string,
  { method = 'GET', body }: { readonly method?: string; readonly body?: unknown } = {},
): Promise<z.infer<S>> {
  const headers = { authorization: `Bearer ${token}`, ...TERMINAL, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const init = { method, headers, signal: AbortSignal.timeout(ASK_MS), ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`${url}${path}`, init).catch((cause: unknown) => {
    throw new CliProblem(`The server at ${url} does not answer`, { cause });
  });
  const json = jsonOf(await response.text());
  if (!response.ok) throw new CliProblem(wordsOf(json) ?? `The server answered ${response.status}`);
  const parsed = z.safeParse(schema, json);
  if (!parsed.success) throw new CliProblem(`The server at ${url} answered something this version does not understand`, { cause: parsed.error });
  return parsed.data;
}

function wordsOf(json: unknown): string | undefined {
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

function readIfThere(file: string): string | undefined {
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
