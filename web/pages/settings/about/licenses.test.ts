import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { LICENCES } from './licenses.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const Dependencies = z.object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) });
const Licensed = z.object({ license: z.string() });
/** What builds and tests Signalbox, and is not in it. */
const TOOLS =
  /^@types\/|^(@agentclientprotocol\/sdk|@axe-core\/playwright|@biomejs\/biome|@vitejs\/plugin-react|esbuild|fast-check|happy-dom|knip|playwright-core|tsx|typescript|vite|vitest)$/;

test('everything that is shipped is named with the licence under which it is installed', () => {
  const { dependencies, devDependencies } = Dependencies.parse(JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')));
  const shipped = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !TOOLS.test(name));
  const installed = shipped.map((name) => ({ name, licence: licenceOf(name) }));
  expect([...LICENCES]).toEqual(installed.sort((a, b) => (a.name < b.name ? -1 : 1)));
});

const licenceOf = (name: string): string => Licensed.parse(JSON.parse(readFileSync(resolve(ROOT, 'node_modules', name, 'package.json'), 'utf8'))).license;
