import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendPage } from '../auth/sign-in.ts';
import { missingBuildPage } from '../auth/sign-in-page.ts';

/** Addresses that the page routes itself; all of them get the same HTML. */
const PAGES = [
  '/',
  '/s/*',
  '/sessions',
  '/inbox',
  '/search',
  '/tiles',
  '/plans/*',
  '/plans',
  '/annotations',
  '/worktrees',
  '/usage',
  '/settings',
  '/settings/*',
];

/** The built web files are public and contain no data; pages need a sign-in. */
export async function mountWebFiles(app: FastifyInstance, webDir: string, basePath: string): Promise<void> {
  for (const page of PAGES) app.get(page, { config: { role: 'page' } }, (_request, reply) => sendIndex(reply, webDir, basePath));
  if (!existsSync(webDir)) return;
  await app.register(fastifyStatic, {
    root: webDir,
    index: false,
    wildcard: false,
    cacheControl: false,
    globIgnore: ['**/index.html'],
    setHeaders: (response, path) => {
      // Built assets have a content hash in their name; other files can change with the next build.
      response.setHeader('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

export function sendIndex(reply: FastifyReply, webDir: string, basePath: string): FastifyReply {
  const file = join(webDir, 'index.html');
  if (!existsSync(file)) return sendPage(reply, 503, missingBuildPage());
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(atBase(readFileSync(file, 'utf8'), basePath));
}

/** All addresses in the page are relative to its base element, which holds the base path. */
const atBase = (html: string, basePath: string): string => html.replace(/<base href="\/"/, `<base href="${basePath}/"`);
