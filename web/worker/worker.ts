import * as z from 'zod/mini';
import { PushMessage } from '../../src/protocol/api/outside/push.ts';
import { KEY_HEADER } from '../../src/protocol/api/sign-in.ts';
import { ErrorBody } from '../../src/protocol/http.ts';
import { storedKey } from '../client/storage/indexed-key.ts';
import { answerOf, type NotificationData, notificationOf } from './notification.ts';

/** The parts of the service worker API used here: TypeScript can't load its types together with those of pages. */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface PushEvent extends ExtendableEvent {
  readonly data: { text(): string } | null;
}
interface NotificationClickEvent extends ExtendableEvent {
  readonly action: string;
  readonly notification: Notification;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface PageClient {
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void>; matchAll(which: object): Promise<readonly PageClient[]>; openWindow(url: string): Promise<unknown> };
  skipWaiting(): Promise<void>;
  addEventListener<E extends Event>(type: string, listener: (event: E) => void): void;
}

const worker = self as unknown as WorkerScope;
z.config({ jitless: true });

const OFFLINE_CACHE = 'signalbox-away-1';
const OFFLINE_FILES = ['offline.html', 'offline.css', 'offline.js'];
const at = (path: string): string => new URL(path, worker.registration.scope).href;

worker.addEventListener('install', (event: ExtendableEvent) =>
  event.waitUntil(
    caches
      .open(OFFLINE_CACHE)
      .then((cache) => cache.addAll(OFFLINE_FILES.map(at)))
      .then(() => worker.skipWaiting()),
  ),
);
worker.addEventListener('activate', (event: ExtendableEvent) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('push', (event: PushEvent) => event.waitUntil(show(event.data?.text() ?? '')));
worker.addEventListener('notificationclick', (event: NotificationClickEvent) => event.waitUntil(onNotificationClick(event)));
worker.addEventListener('fetch', (event: FetchEvent) => {
  if (event.request.mode === 'navigate') return event.respondWith(fetch(event.request).catch(() => cached('offline.html')));
  // The offline page keeps the address of the requested page, so its files are requested relative to that.
  const part = OFFLINE_FILES.find((name) => event.request.url.endsWith(`/${name}`));
  if (part !== undefined) event.respondWith(cached(part));
});

/** Caches nothing else: the page never shows stale data. */
const cached = async (file: string): Promise<Response> => (await caches.match(at(file))) ?? Response.error();

/** Shows nothing while a page is visible: the person sees it there. */
async function show(text: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const message = PushMessage.parse(JSON.parse(text));
  // A test is requested from the page, to see it appear.
  if (message.tag !== 'trial' && pages.some((page) => page.visibilityState === 'visible')) return;
  const { title, options } = notificationOf(message);
  await worker.registration.showNotification(title, { ...options, icon: at(options.icon), badge: at(options.badge) } as NotificationOptions);
}

async function onNotificationClick({ action, notification }: NotificationClickEvent): Promise<void> {
  const data = notification.data as NotificationData;
  notification.close();
  const answer = answerOf(action, data);
  if (answer === undefined) return openPage(data.path);
  const problem = await send(answer.path, answer.behavior);
  if (problem === undefined) return;
  // The answer may not have arrived, so the notification comes back.
  await worker.registration.showNotification(notification.title, {
    body: `Not answered: ${problem}`,
    tag: notification.tag,
    data: { path: data.path },
    icon: at('icon-192.png'),
  });
}

async function send(path: string, behavior: 'allow' | 'deny'): Promise<string | undefined> {
  const body = JSON.stringify({ behavior });
  const key = await storedKey(new URL(worker.registration.scope).pathname).catch(() => undefined);
  if (key === undefined) return 'this browser is not signed in. Open Signalbox to sign in.';
  const init = { method: 'POST', credentials: 'same-origin', headers: { 'content-type': 'application/json', [KEY_HEADER]: key }, body } as const;
  const response = await fetch(at(path), init).catch(() => undefined);
  if (response === undefined) return 'the server can’t be reached. Open Signalbox to answer.';
  if (response.ok) return undefined;
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined));
  return parsed.success ? parsed.data.error.message : `the server answered ${response.status}.`;
}

async function openPage(path: string): Promise<void> {
  const [page] = await worker.clients.matchAll({ type: 'window' });
  const hasNavigated = await page?.navigate(at(path)).then(
    () => true,
    () => false,
  );
  if (page === undefined || hasNavigated !== true) return void (await worker.clients.openWindow(at(path)));
  // The system may refuse to focus the page. It has still navigated.
  await page.focus().catch(() => undefined);
}
