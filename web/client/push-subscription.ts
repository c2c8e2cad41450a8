import { PushTarget } from '../../src/protocol/api/push.ts';

/** Why this browser cannot be told, in words that say what to do; undefined when it can. */
export function obstacle(
  scope: Pick<Window, 'isSecureContext'> & { readonly navigator: object },
  permission: NotificationPermission | undefined,
): string | undefined {
  if (!scope.isSecureContext) return INSECURE;
  if (!('serviceWorker' in scope.navigator) || !('PushManager' in scope) || permission === undefined) return INCAPABLE;
  return permission === 'denied' ? DENIED : undefined;
}

const INSECURE =
  'A browser takes notifications only from a page that came over https, or from this machine itself. Open Signalbox as http://localhost (through an SSH tunnel, for instance), start it with --tls-cert and --tls-key, or put a proxy with https before it and name that with --public-url.';
const INCAPABLE = 'This browser cannot be told. On an iPhone or iPad: share this page, choose “Add to Home Screen”, and open it from there.';
const DENIED = 'You have told this browser not to show notifications from here. Allow them in its settings for this page, and come back.';

/** By which name the server knows this browser, if it has subscribed. */
export async function deviceHere(): Promise<string | undefined> {
  const registration = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
  const endpoint = (await registration?.pushManager?.getSubscription())?.endpoint;
  if (endpoint === undefined) return undefined;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Asks the person, then the browser's push service. Throws words. */
export async function subscribeHere(publicKey: string): Promise<PushTarget> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('Without your permission this browser shows nothing.');
  const registration = await navigator.serviceWorker.ready;
  try {
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    return PushTarget.parse(subscription.toJSON());
  } catch (cause) {
    throw new Error('The push service of this browser could not be reached. Everything else works without it; try again later.', { cause });
  }
}

export async function unsubscribeHere(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** The worker that shows notifications, and says so when the server is away. A browser without one loses only that. */
export function registerWorker(base: string): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register(new URL('worker.js', base)).catch(() => undefined);
}

/** What a person would call this browser. */
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
