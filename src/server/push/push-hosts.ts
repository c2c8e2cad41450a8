import { isLoopback } from '../shared/settings.ts';

/**
 * Push services of the browsers. A browser chooses the address and we send to it from inside the person's network, so
 * only these services are allowed, and those that the owner of this server adds.
 */
const SERVICES = [/^(fcm|android)\.googleapis\.com$/, /\.push\.services\.mozilla\.com$/, /(^|\.)push\.apple\.com$/, /\.notify\.windows\.com$/];

/** Why this address can't be used; undefined when it can. */
export function endpointProblem(endpoint: string, named: readonly string[]): string | undefined {
  const { protocol, hostname, host } = new URL(endpoint);
  const isNamed = named.includes(host) || named.includes(hostname);
  if (!isNamed && !SERVICES.some((service) => service.test(hostname))) {
    return `${host} is not a known push service. The owner of this server can allow it in SIGNALBOX_PUSH_HOSTS.`;
  }
  if (protocol === 'https:' || (protocol === 'http:' && isNamed && isLoopback(hostname))) return undefined;
  return 'Push services must use https.';
}
