import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendPage } from '../auth/sign-in.ts';
import { missingBuildPage } from '../auth/sign-in-page.ts';

/** Addresses that the cockpit draws itself; all of them are answered with its one page. */
const PAGES = ['/', '/s/*', '/sessions', '/inbox', '/search', '/tiles', '/plans/*', '/plans', '/usage', '/settings', '/settings/*'];

/** The built web files, public and without data in them; the pages need somebody signed in. */
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
      // Built files carry a hash of their content in their name; the rest may change with the next build.
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

/** All addresses in the page are relative to its base element, which names where we are served. */
const atBase = (html: string, basePath: string): string => html.replace(/<base href="\/"/, `<base href="${basePath}/"`);
