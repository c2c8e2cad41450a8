import * as z from 'zod/mini';
import { PushMessage } from '../../src/protocol/api/push.ts';
import { KEY_HEADER } from '../../src/protocol/api/sign-in.ts';
import { ErrorBody } from '../../src/protocol/http.ts';
import { storedKey } from '../client/storage/indexed-key.ts';
import { answerOf, type Kept, noticeOf } from './notice.ts';

/** What of a service worker's world is used here: its library and that of pages cannot be had in one program. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Pushed extends Extendable {
  readonly data: { text(): string } | null;
}
interface Touched extends Extendable {
  readonly action: string;
  readonly notification: Notification;
}
interface Fetched extends Extendable {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Page {
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}
interface World {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void>; matchAll(which: object): Promise<readonly Page[]>; openWindow(url: string): Promise<unknown> };
  skipWaiting(): Promise<void>;
  addEventListener<E extends Event>(type: string, listener: (event: E) => void): void;
}

const world = self as unknown as World;
z.config({ jitless: true });

const AWAY = 'signalbox-away-1';
const AWAY_FILES = ['offline.html', 'offline.css', 'offline.js'];
const at = (path: string): string => new URL(path, world.registration.scope).href;

world.addEventListener('install', (event: Extendable) =>
  event.waitUntil(
    caches
      .open(AWAY)
      .then((cache) => cache.addAll(AWAY_FILES.map(at)))
      .then(() => world.skipWaiting()),
  ),
);
world.addEventListener('activate', (event: Extendable) => event.waitUntil(world.clients.claim()));
world.addEventListener('push', (event: Pushed) => event.waitUntil(show(event.data?.text() ?? '')));
world.addEventListener('notificationclick', (event: Touched) => event.waitUntil(touched(event)));
world.addEventListener('fetch', (event: Fetched) => {
  if (event.request.mode === 'navigate') return event.respondWith(fetch(event.request).catch(() => away('offline.html')));
  // The page that says so has the address of the page that was wanted: its parts are asked for beside that one.
  const part = AWAY_FILES.find((name) => event.request.url.endsWith(`/${name}`));
  if (part !== undefined) event.respondWith(away(part));
});

/** Nothing else is kept: what this page shows is true, or it is not shown. */
const away = async (file: string): Promise<Response> => (await caches.match(at(file))) ?? Response.error();

/** Whoever looks at the page sees it there. */
async function show(text: string): Promise<void> {
  const pages = await world.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const message = PushMessage.parse(JSON.parse(text));
  // A trial is asked for in the page, to see it come up.
  if (message.tag !== 'trial' && pages.some((page) => page.visibilityState === 'visible')) return;
  const { title, options } = noticeOf(message);
  await world.registration.showNotification(title, { ...options, icon: at(options.icon), badge: at(options.badge) } as NotificationOptions);
}

async function touched({ action, notification }: Touched): Promise<void> {
  const kept = notification.data as Kept;
  notification.close();
  const answer = answerOf(action, kept);
  if (answer === undefined) return openPage(kept.path);
  const problem = await send(answer.path, answer.behavior);
  if (problem === undefined) return;
  // It is not known to be answered, so it is not hidden.
  await world.registration.showNotification(notification.title, {
    body: `Not answered: ${problem}`,
    tag: notification.tag,
    data: { path: kept.path },
    icon: at('icon-192.png'),
  });
}

async function send(path: string, behavior: 'allow' | 'deny'): Promise<string | undefined> {
  const body = JSON.stringify({ behavior });
  const key = await storedKey(new URL(world.registration.scope).pathname).catch(() => undefined);
  if (key === undefined) return 'this browser is not signed in. Open it to sign in.';
  const init = { method: 'POST', credentials: 'same-origin', headers: { 'content-type': 'application/json', [KEY_HEADER]: key }, body } as const;
  const response = await fetch(at(path), init).catch(() => undefined);
  if (response === undefined) return 'the server cannot be reached. Open it to answer.';
  if (response.ok) return undefined;
  const said = ErrorBody.safeParse(await response.json().catch(() => undefined));
  return said.success ? said.data.error.message : `the server answered ${response.status}.`;
}

async function openPage(path: string): Promise<void> {
  const [page] = await world.clients.matchAll({ type: 'window' });
  const went = await page?.navigate(at(path)).then(
    () => true,
    () => false,
  );
  if (page === undefined || went !== true) return void (await world.clients.openWindow(at(path)));
  // A system may keep the page from coming to the front; it has gone to the right place all the same.
  await page.focus().catch(() => undefined);
}
