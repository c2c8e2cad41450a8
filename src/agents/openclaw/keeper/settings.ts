import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { configFile } from '../state-folder.ts';
import { parseLooseJson } from './loose-json.ts';

/** Where the Gateway of this home listens, and how to sign in. */
export interface GatewaySettings {
  readonly port: number;
  readonly auth: { readonly token: string } | { readonly password: string };
  /** No token is configured: a Gateway that we start gets ours. */
  readonly isOurToken: boolean;
}

const DEFAULT_PORT = 18789;

const secret = z.catch(z.optional(z.string().check(z.minLength(1))), undefined);
const Auth = z.catch(z.object({ token: secret, password: secret }), { token: undefined, password: undefined });
const Gateway = z.catch(z.object({ port: z.catch(z.optional(z.int()), undefined), auth: Auth }), {
  port: undefined,
  auth: { token: undefined, password: undefined },
});
const Config = z.catch(z.object({ gateway: Gateway }), { gateway: { port: undefined, auth: { token: undefined, password: undefined } } });

/** OpenClaw's variables win over its config file, as they do for its own clients (2026.9.6). Secret references in the file can't be read by us. */
export function settingsOf(folder: string, env: NodeJS.ProcessEnv = process.env): GatewaySettings {
  const { gateway } = Config.parse(parseLooseJson(textOf(configFile(env))));
  const port = Number(env.OPENCLAW_GATEWAY_PORT) || gateway.port || DEFAULT_PORT;
  const token = env.OPENCLAW_GATEWAY_TOKEN || gateway.auth.token;
  const password = env.OPENCLAW_GATEWAY_PASSWORD || gateway.auth.password;
  if (token) return { port, auth: { token }, isOurToken: false };
  if (password) return { port, auth: { password }, isOurToken: false };
  return { port, auth: { token: ourToken(join(folder, 'token')) }, isOurToken: true };
}

/** Stored, so that a later keeper can connect to the Gateway that this one starts. */
function ourToken(file: string): string {
  const kept = textOf(file).trim();
  if (kept !== '') return kept;
  const made = randomBytes(32).toString('base64url');
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
