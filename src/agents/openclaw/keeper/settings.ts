import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { configOf } from '../home.ts';
import { looseJson } from './loose-json.ts';

/** Where the Gateway of this home listens, and what it lets in. */
export interface GatewaySettings {
  readonly port: number;
  readonly auth: { readonly token: string } | { readonly password: string };
  /** Nobody has set a token: a Gateway that we start is given ours. */
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

/** Its own variables win over its config file, as they do for its own clients (2026.9.6). What the file keeps elsewhere (a secret reference) cannot be read by us. */
export function settingsOf(folder: string, env: NodeJS.ProcessEnv = process.env): GatewaySettings {
  const { gateway } = Config.parse(looseJson(textOf(configOf(env))));
  const port = Number(env.OPENCLAW_GATEWAY_PORT) || gateway.port || DEFAULT_PORT;
  const token = env.OPENCLAW_GATEWAY_TOKEN || gateway.auth.token;
  const password = env.OPENCLAW_GATEWAY_PASSWORD || gateway.auth.password;
  if (token) return { port, auth: { token }, isOurToken: false };
  if (password) return { port, auth: { password }, isOurToken: false };
  return { port, auth: { token: ourToken(join(folder, 'token')) }, isOurToken: true };
}

/** Kept, so that a later keeper gets into the Gateway that this one starts. */
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
