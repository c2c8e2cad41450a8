import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Who may import whom: the table of docs/overview.md. `main` is the two files that know everything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  domain: ['protocol'],
  agents: ['protocol'],
  host: ['protocol'],
  journal: ['protocol'],
  archive: ['protocol', 'domain', 'agents', 'journal'],
  views: ['protocol', 'domain', 'journal'],
  library: ['protocol', 'domain', 'agents', 'journal', 'archive', 'views', 'engine', 'server'],
  cluster: ['protocol'],
  engine: ['protocol', 'domain', 'agents', 'host', 'journal', 'cluster'],
  server: ['protocol', 'domain', 'engine', 'views'],
  cli: ['protocol'],
  main: ['protocol', 'domain', 'agents', 'host', 'journal', 'archive', 'views', 'library', 'cluster', 'engine', 'server', 'cli'],
  web: ['protocol', 'domain'],
};

/** Packages and parts of Node that a pure folder may use. */
const PURE = ['protocol', 'domain', 'agents'];
const PURE_MAY_USE: Readonly<Record<string, readonly string[]>> = {
  protocol: ['zod/mini'],
  domain: [],
  agents: ['zod/mini', 'node:crypto', 'node:path', 'node:module'],
};

/** What runs in processes of its own, not part of an adapter. */
const PROGRAMS = [
  'src/agents/demo/program',
  'src/agents/claude-code/bridge/',
  'src/agents/pi/extension',
  'src/agents/openclaw/keeper/',
  'src/agents/openclaw/once/',
];

const sources = [...filesBelow('src'), ...filesBelow('web')].filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path));

test('every import goes in a direction that the house allows', () => {
  const wrong = sources.flatMap((path) =>
    importsOf(path)
      .filter((target) => !isAllowed(path, target))
      .map((target) => `${path} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('pure folders use no clock, no chance, no disk and no process', () => {
  const wrong = sources.filter(isPure).flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const foreign = bareImportsOf(path).filter((name) => !(PURE_MAY_USE[folderOf(path)] ?? []).includes(name));
    const impure = /\b(Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|fetch\()/.exec(text)?.[0];
    return [...foreign, ...(impure === undefined ? [] : [impure])].map((what) => `${path}: ${what}`);
  });
  expect(wrong).toEqual([]);
});

test("an agent's name is written only in its own folder and in the list of agents", () => {
  const agents = readdirSync(join(ROOT, 'src/agents'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'formats')
    .map((entry) => entry.name);
  expect(agents).toContain('claude-code');
  const named = sources.flatMap((path) => agents.filter((agent) => agent !== 'demo' && mentions(path, agent)).map((agent) => `${path}: ${agent}`));
  expect(named).toEqual([]);
});

function mentions(path: string, agent: string): boolean {
  if (path === 'src/agents/index.ts' || path.startsWith(`src/agents/${agent}/`)) return false;
  return new RegExp(`['"\`/]${agent}['"\`/]`).test(readFileSync(join(ROOT, path), 'utf8'));
}

function isAllowed(path: string, target: string): boolean {
  const [from, to] = [folderOf(path), folderOf(target)];
  return from === to || (MAY_IMPORT[from] ?? []).includes(to);
}

function isPure(path: string): boolean {
  return PURE.includes(folderOf(path)) && !PROGRAMS.some((program) => path.startsWith(program));
}

function folderOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  if (top === 'web') return 'web';
  return second.endsWith('.ts') ? 'main' : second;
}

function importsOf(path: string): readonly string[] {
  return specifiersOf(path)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(ROOT, resolve(ROOT, dirname(path), specifier)))
    .filter((target) => target.startsWith('src/') || target.startsWith('web/'));
}

const bareImportsOf = (path: string): readonly string[] => specifiersOf(path).filter((specifier) => !specifier.startsWith('.'));

function specifiersOf(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/\b(?:from\s+|import\s+|import\()'([^']+)'/g)].flatMap((match) => match[1] ?? []);
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}
