import { PushTarget } from '../../src/protocol/api/outside/push.ts';

/** Why this browser can't get notifications and what to do about it; undefined if it can. */
export function obstacle(
  scope: Pick<Window, 'isSecureContext'> & { readonly navigator: object },
  permission: NotificationPermission | undefined,
): string | undefined {
  if (!scope.isSecureContext) return INSECURE;
  if (!('serviceWorker' in scope.navigator) || !('PushManager' in scope) || permission === undefined) return INCAPABLE;
  return permission === 'denied' ? DENIED : undefined;
}

const INSECURE =
  'Notifications need https or localhost. Open Signalbox as http://localhost (for example through an SSH tunnel), start it with --tls-cert and --tls-key, or put an https proxy in front of it and set --public-url.';
const INCAPABLE = 'This browser doesn’t support notifications here. On an iPhone or iPad, share this page, choose “Add to Home Screen” and open it from there.';
const DENIED = 'Notifications are blocked for this page. Allow them in your browser’s site settings, then come back.';

/** This browser's id on the server, if it has subscribed. */
export async function deviceHere(): Promise<string | undefined> {
  const registration = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  const endpoint = (await registration?.pushManager?.getSubscription())?.endpoint;
  if (endpoint === undefined) return undefined;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Asks for permission, then subscribes with the browser's push service. Throws an error whose message can be shown. */
export async function subscribeHere(publicKey: string): Promise<PushTarget> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('Notifications stay off because you didn’t allow them.');
  const registration = await navigator.serviceWorker.ready;
  try {
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    return PushTarget.parse(subscription.toJSON());
  } catch (cause) {
    throw new Error('Couldn’t reach this browser’s push service. Everything else works without it; try again later.', { cause });
  }
}

export async function unsubscribeHere(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** The worker shows notifications, and a page while the server is away. Browsers without workers lose only that. */
export function registerWorker(base: string): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register(new URL('worker.js', base)).catch(() => undefined);
}

/** For example "Chrome on Linux". */
export function deviceName(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : 'A browser';
  const system = SYSTEMS.find(([mark]) => mark.test(agent))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'an iPhone'],
  [/iPad/, 'an iPad'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'a Mac'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
];
