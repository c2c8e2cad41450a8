import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { LICENSES } from './licenses.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const Dependencies = z.object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) });
const Licensed = z.object({ license: z.string() });
/** Tools that build and test Signalbox and are not shipped. */
const TOOLS =
  /^@types\/|^(@agentclientprotocol\/sdk|@axe-core\/playwright|@biomejs\/biome|@vitejs\/plugin-react|esbuild|fast-check|happy-dom|knip|playwright-core|standardwebhooks|tsx|typescript|vite|vitest)$/;

test('everything that is shipped is listed with its license', () => {
  const { dependencies, devDependencies } = Dependencies.parse(JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')));
  const shipped = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !TOOLS.test(name));
  const installed = shipped.map((name) => ({ name, license: licenseOf(name) }));
  expect([...LICENSES]).toEqual(installed.sort((a, b) => (a.name < b.name ? -1 : 1)));
});

const licenseOf = (name: string): string => Licensed.parse(JSON.parse(readFileSync(resolve(ROOT, 'node_modules', name, 'package.json'), 'utf8'))).license;
