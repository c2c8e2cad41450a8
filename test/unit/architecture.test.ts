import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Who may import whom: the table of docs/overview.md. `main` is the files directly in src/, which wire everything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  problems: ['protocol'],
  domain: ['protocol'],
  agents: ['protocol'],
  folders: ['protocol'],
  programs: ['protocol', 'agents'],
  host: ['protocol', 'problems'],
  git: ['protocol', 'domain', 'folders'],
  journal: ['protocol', 'problems'],
  cluster: ['protocol', 'problems'],
  outbound: ['protocol', 'problems', 'domain', 'journal'],
  archive: ['protocol', 'problems', 'domain', 'agents', 'journal'],
  index: ['protocol', 'problems', 'domain', 'agents', 'programs', 'journal', 'archive'],
  engine: ['protocol', 'problems', 'domain', 'agents', 'folders', 'programs', 'host', 'git', 'journal', 'archive'],
  server: ['protocol', 'problems', 'domain', 'folders', 'engine', 'git', 'index', 'cluster'],
  cli: ['protocol', 'domain'],
  client: ['protocol'],
  main: [
    'protocol',
    'problems',
    'domain',
    'agents',
    'folders',
    'programs',
    'host',
    'git',
    'journal',
    'archive',
    'index',
    'engine',
    'cluster',
    'outbound',
    'server',
    'cli',
  ],
  web: ['protocol', 'domain'],
};

/** Packages and parts of Node that a pure folder may use. */
const PURE = ['protocol', 'domain', 'agents'];
const PURE_MAY_USE: Readonly<Record<string, readonly string[]>> = {
  protocol: ['zod/mini'],
  domain: [],
  agents: ['zod/mini', 'node:crypto', 'node:path', 'node:module'],
};

/** Programs that run in their own process; not part of an adapter. */
const PROGRAMS = [
  'src/agents/demo/program',
  'src/agents/script/program',
  'src/agents/script/run-command',
  'src/agents/claude-code/bridge/',
  'src/agents/pi/extension',
  'src/agents/openclaw/keeper/',
  'src/agents/openclaw/single-task/',
];

const sources = [...filesIn('src'), ...filesIn('web')].filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path));

test('every import goes in an allowed direction', () => {
  const wrong = sources.flatMap((path) =>
    importsOf(path)
      .filter((target) => !isAllowed(path, target))
      .map((target) => `${path} → ${target}`),
  );
  expect(wrong).toEqual([]);
});

/** The layers of the page, lowest first: an import goes to the same layer or to a lower one. Files directly in web/ wire everything. */
const WEB_LAYERS = ['base', 'client', 'store', 'parts', 'pages', 'app'];

/** Outside the layers: the service worker is a separate program, and the build code isn't part of the page. */
const WEB_OUTSIDE_LAYERS: Readonly<Record<string, readonly string[]>> = { worker: ['base', 'client'], build: [] };

/** The folders of web/parts; each can import those before it. */
const WEB_PARTS = [
  'common',
  'plans',
  'track',
  'address',
  'markdown',
  'diff',
  'annotations',
  'session-list',
  'dialogs',
  'session-actions',
  'health',
  'pull-request',
  'approvals',
  'composer',
  'items',
  'transcript',
];

/** A folder with more modules is hard to overview. */
const MODULES_IN_A_FOLDER = 25;

const webFiles = filesIn('web').filter((path) => /\.tsx?$/.test(path));

test('in web/ every import goes to the same layer or to a lower one, and no page imports another', () => {
  const known = [...WEB_LAYERS, ...Object.keys(WEB_OUTSIDE_LAYERS), 'public', ''];
  expect(webFiles.filter((path) => !known.includes(webLayerOf(path)))).toEqual([]);
  expect(webFiles.filter((path) => webLayerOf(path) === 'parts' && !WEB_PARTS.includes(webFolderOf(path)))).toEqual([]);
  const imports = webFiles.flatMap((path) => webImportsOf(path).map((target) => [path, target] as const));
  expect(imports.length).toBeGreaterThan(1000);
  expect(imports.filter(([path, target]) => !isToSameOrLower(path, target)).map(([path, target]) => `${path} → ${target}`)).toEqual([]);
});

test('folders of web/ do not import each other in a cycle', () => {
  const edges = new Map<string, Set<string>>();
  for (const path of webFiles.filter((path) => !/\.test\.tsx?$/.test(path))) {
    const from = dirname(path);
    for (const to of webImportsOf(path).map((target) => dirname(target))) {
      if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  expect([...edges.keys()].filter((folder) => isInCycle(edges, folder))).toEqual([]);
});

/** Folders inside one layer of src/ that import each other, and why. Between layers there are none. */
const TWO_WAY: Readonly<Record<string, string>> = {
  'src/agents/pi ↔ src/agents/pi/records': 'Pi prints and stores the same messages, so lines and records share one wire format',
  'src/archive ↔ src/archive/records': 'reading a record needs its number, and numbering needs what was read',
  'src/domain/finish ↔ src/domain/session': 'git acts and the pull request are part of a session’s state; sending a card to the agent continues the session',
  'src/domain/permission ↔ src/domain/session': 'a request is part of a session’s state; answering one changes that state',
  'src/domain/queue ↔ src/domain/session': 'the queue is part of a session’s state; its rules ask whether the session is busy',
  'src/domain/script ↔ src/domain/session': 'the scripts that run for a session are part of its state',
  'src/domain/session ↔ src/domain/transcript': 'the last line of a session names a tool call as the transcript does; sentences read the type of a state',
  'src/domain/session ↔ src/domain/worktree': 'a worktree is part of a session’s state, and the session waits for it',
  'src/engine ↔ src/engine/checkpoints': 'open-engine.ts wires the parts; engine.ts is the interface that this part implements',
  'src/engine ↔ src/engine/loop': 'open-engine.ts wires the parts; engine.ts is the interface that subscribers see',
  'src/engine/checkpoints ↔ src/engine/loop': 'a session actor starts checkpoints after its events; they note their outcome on it',
  'src/engine/continue ↔ src/engine/loop': 'a launch may resume, fork or merge a record; all of them act on session actors',
  'src/engine/external ↔ src/engine/loop': 'a launch first looks for another program’s process; a takeover ends it for a session actor',
  'src/engine/loop ↔ src/engine/plans': 'the engine context holds the plans; their runner looks at session actors and submits commands for them',
  'src/engine/loop ↔ src/engine/rules': 'a new request is answered by rules in the same step',
  'src/engine/loop ↔ src/engine/scripts': 'a script is a session of its own; its session actor reports to the one it runs for',
  'src/engine/loop ↔ src/engine/slots': 'the engine context holds the measured memory; slots watch session actors',
  'src/git ↔ src/git/hosts': 'the programs of hosts run as git acts do; pull-request.ts chooses one',
  'src/engine/loop ↔ src/engine/terminal': 'a session actor watches the message it has lent; hooks and polls act on session actors',
  'src/engine ↔ src/engine/terminal': 'open-engine.ts wires the parts; engine.ts is the interface that this part implements',
  'src/domain/permission ↔ src/domain/queue': 'a lent message and a request of a hook belong to no run: both use its name',
  'src/server/http/routes ↔ src/server/http/routes/outside': 'index.ts lists the routes of every folder; all routes share the helpers of session.ts',
  'src/engine/loop ↔ src/engine/worktrees': 'making a worktree is an effect of a session; its steps are decisions of that session’s actor',
  'src/server/blame ↔ src/server/http': 'blame is one of the services of a route and takes the services of its caller',
  'src/server/http ↔ src/server/time': 'the reader of moments is one of the services of a route and takes the services of its caller',
  'src/server/http/routes ↔ src/server/http/routes/history': 'index.ts lists the routes of every folder; all routes share the helpers of session.ts',
  'src/git ↔ src/git/side': 'a side repository asks the person’s repository; checkpoints and reverts use side repositories',
  'src/protocol ↔ src/protocol/api': 'frames carry the same shapes as HTTP bodies, and both use ids',
  'src/protocol ↔ src/protocol/api/outside': 'events hold webhooks and shared links as HTTP bodies do, and both use ids',
  'src/domain/annotation ↔ src/domain/session': 'annotations are part of a session’s state, and their rules add to its drafts',
  'src/server/annotations ↔ src/server/http': 'annotations are one of the services of a route and read events as routes do',
  'src/server/auth ↔ src/server/http': 'routes state the role they need; access limits the services that routes get',
  'src/server/auth ↔ src/server/remote': 'lists show sessions of other machines as last known; other machines vouch for their people',
  'src/server/http ↔ src/server/remote': 'other machines are one of the services of a route, and answer with the same routes',
  'src/server/remote ↔ src/server/ws': 'a client of another machine is a client of the hub; our clients watch sessions of other machines',
  'src/server/http/routes ↔ src/server/http/routes/git': 'index.ts lists the routes of every folder; all routes share the helpers of session.ts',
  'src/server/http ↔ src/server/inspector': 'the inspector is one of the services of a route and reads events as routes do',
};

test('folders of src/ import each other only for a stated reason', () => {
  const imports = sources.filter((path) => path.startsWith('src/')).flatMap((path) => importsOf(path).map((target) => `${dirname(path)} ${dirname(target)}`));
  const edges = new Set(imports);
  const pairs = [...edges].map((edge) => edge.split(' ') as [string, string]).filter(([one, other]) => one < other && edges.has(`${other} ${one}`));
  expect(pairs.map((pair) => pair.join(' ↔ ')).toSorted()).toEqual(Object.keys(TWO_WAY).toSorted());
});

for (const top of ['src', 'web']) {
  test(`no folder of ${top}/ has too many modules`, () => {
    const modules = filesIn(top).filter((path) => /\.(tsx?|css)$/.test(path) && !/\.test\.tsx?$/.test(path));
    const count = (folder: string): number => modules.filter((path) => dirname(path) === folder).length;
    const folders = [...new Set(modules.map((path) => dirname(path)))];
    expect(folders.filter((folder) => count(folder) > MODULES_IN_A_FOLDER).map((folder) => `${folder}: ${count(folder)}`)).toEqual([]);
  });
}

test('pure folders use no clock, randomness, disk or process', () => {
  const wrong = sources.filter(isPure).flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const foreign = bareImportsOf(path).filter((name) => !(PURE_MAY_USE[folderOf(path)] ?? []).includes(name));
    const impure = /\b(Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|fetch\()/.exec(text)?.[0];
    return [...foreign, ...(impure === undefined ? [] : [impure])].map((what) => `${path}: ${what}`);
  });
  expect(wrong).toEqual([]);
});

/** Built-in agents whose names are also ordinary words. */
const ORDINARY_WORDS = ['demo', 'script'];

test("an agent's name is written only in its own folder and in the list of agents", () => {
  const agents = readdirSync(join(ROOT, 'src/agents'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['formats', 'port'].includes(entry.name))
    .map((entry) => entry.name);
  expect(agents).toContain('claude-code');
  const named = sources.flatMap((path) =>
    agents.filter((agent) => !ORDINARY_WORDS.includes(agent) && mentions(path, agent)).map((agent) => `${path}: ${agent}`),
  );
  expect(named).toEqual([]);
});

/** Callbacks that run outside a request, where an exception could end the server. The timers of node:timers/promises are fine, because their promises are awaited. */
const CALLS_BACK = /\b(setInterval|setTimeout|setImmediate|fsWatch|watch)\(|\.(on|once)\(\s*'(\w+)'/g;

/** Separate programs and threads: an exception there doesn't end the server, which notices and restarts them. `cli` isn't the server. */
const NOT_THE_SERVER = [
  ...PROGRAMS,
  'src/cli/',
  'src/index/threads/answer-questions.ts',
  'src/index/threads/writer-thread.ts',
  'src/index/threads/records-thread.ts',
  'src/index/threads/reader-thread.ts',
  'src/index/threads/watch-records.ts',
  'src/index/list/worker.ts',
];

/** Calls that are allowed outside `Problems`, and why they can't end the server. */
const UNGUARDED: Readonly<Record<string, string>> = {
  'src/problems/problems.ts': 'the helper itself',
  'src/host/tasks/schedule.ts': 'runs a read that its caller guards',
  'src/host/watch.ts': 'calls a listener that its caller guards',
  'src/host/start.ts': 'settles a promise',
  'src/host/compress.ts': 'passes an error to a stream that is awaited',
  'src/index/threads/restarting-worker.ts': 'settles a promise, and catches errors when it starts a thread',
  'src/index/list/worker-connection.ts': 'guards its listeners wherever it runs in the server',
  'src/programs/ask-version.ts': 'settles a promise',
  'src/programs/versions.ts': 'deletes an entry of a map',
  'src/git/run-program.ts': 'settles a promise, and collects bytes up to a limit',
  'src/engine/loop/shutdown.ts': 'settles a promise',
  'src/engine/worktrees/plan.ts': 'settles a promise',
  'src/server/http/mount.ts': 'aborts a signal',
  'src/server/http/panel-reader.ts': 'settles a promise',
  'src/server/http/read-events.ts': 'settles a promise',
  'src/server/http/read-recap.ts': 'settles a promise',
  'src/server/http/submit-and-wait.ts': 'settles a promise',
  'src/server/terminals/waits.ts': 'settles a promise',
  'src/git/side/left-lock.ts': 'settles a promise',
  'src/git/side/run-side-git.ts': 'settles a promise',
  'src/server/server.ts': 'reports errors of the listening socket',
  'src/cluster/redis-connection.ts': 'reports errors of the connection',
  'src/server/ws/socket-writer.ts': 'writes to a stream; its callbacks are guarded by the caller',
  'src/server/ws/socket-route.ts': 'guards each listener itself, and closes a socket',
  'src/open-browser.ts': 'ignores a missing browser',
  'src/check-redis.ts': 'settles a promise, for doctor',
  'src/serve.ts': 'listens to the process itself',
  'src/main.ts': 'listens for Ctrl-C',
};

test('[R300] timers, watchers and listeners of the server go through Problems, or are on the list with a reason', () => {
  const isServer = (path: string): boolean =>
    path.startsWith('src/') && !/\/testing\/|\.fixture\.ts$|\/samples\.ts$/.test(path) && !NOT_THE_SERVER.some((start) => path.startsWith(start));
  const unguarded = sources.filter(isServer).filter((path) => !isPure(path) && callsBack(path));
  expect(unguarded.filter((path) => !(path in UNGUARDED))).toEqual([]);
  expect(Object.keys(UNGUARDED).filter((path) => !unguarded.includes(path))).toEqual([]); // entries that are no longer needed
});

test('[R690] without a Redis URL nothing of a cluster is loaded: what the server imports at its start leads to none of it', () => {
  const reached = new Set<string>();
  const queue = ['src/main.ts'];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const text = readFileSync(join(ROOT, path), 'utf8');
    const imports = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm)].flatMap((match) => match[1] ?? []);
    queue.push(...imports.map((specifier) => relative(ROOT, resolve(ROOT, dirname(path ?? ''), specifier))).filter((target) => target.endsWith('.ts')));
  }
  expect(reached.size).toBeGreaterThan(300);
  expect([...reached].filter((path) => /^src\/(cluster|outbound|server\/remote|index\/machines)\/|open-cluster|check-redis/.test(path))).toEqual([]);
});

function isToSameOrLower(path: string, target: string): boolean {
  const [from, to] = [webLayerOf(path), webLayerOf(target)];
  if (from === '') return true;
  if (from !== to) return (WEB_OUTSIDE_LAYERS[from] ?? WEB_LAYERS.slice(0, WEB_LAYERS.indexOf(from))).includes(to);
  const [inside, other] = [webFolderOf(path), webFolderOf(target)];
  if (from === 'parts') return WEB_PARTS.indexOf(other) <= WEB_PARTS.indexOf(inside);
  return from !== 'pages' || inside === other;
}

function isInCycle(edges: ReadonlyMap<string, ReadonlySet<string>>, folder: string): boolean {
  const reached = new Set(edges.get(folder));
  for (const each of reached) for (const next of edges.get(each) ?? []) reached.add(next);
  return reached.has(folder);
}

/** `base` for web/base/ui/dialog.tsx, empty for a file directly in web/. */
const webLayerOf = (path: string): string => path.split('/').slice(1, -1)[0] ?? '';
/** `ui` for web/base/ui/dialog.tsx. */
const webFolderOf = (path: string): string => path.split('/').slice(2, -1)[0] ?? '';

const webImportsOf = (path: string): readonly string[] => importsOf(path).filter((target) => target.startsWith('web/'));

function callsBack(path: string): boolean {
  const text = readFileSync(join(ROOT, path), 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replace(/\b(problems|engine|sessionIndex|seen)\.watch\(/g, '');
  const isPromised = /from 'node:timers\/promises'/.test(text);
  return [...text.matchAll(CALLS_BACK)].some(([call]) => !(isPromised && call.startsWith('set')) && !isDeclared(text, call));
}

/** The declaration of a method with that name isn't a call. */
const isDeclared = (text: string, call: string): boolean => call === 'watch(' && !/import \{[^}]*\bwatch\b[^}]*\} from 'node:fs'/.test(text);

function mentions(path: string, agent: string): boolean {
  if (path === 'src/agents/index.ts' || path.startsWith(`src/agents/${agent}/`)) return false;
  return new RegExp(`['"\`/]${agent}['"\`/]`).test(readFileSync(join(ROOT, path), 'utf8'));
}

function isAllowed(path: string, target: string): boolean {
  const [from, to] = [folderOf(path), folderOf(target)];
  if (from === 'engine' && to === 'archive') return target === 'src/archive/past-sessions-port.ts'; // the engine knows records only through this port
  if (from === 'client' && target.startsWith('web/client/')) return true; // other programs use the page's own socket
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

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}
