import { isLoopback } from '../settings.ts';

/**
 * Push services of the browsers. A browser tells us where to send, and we send there from inside the person's network: so only to these,
 * and to those that the owner of this server has named.
 */
const SERVICES = [/^(fcm|android)\.googleapis\.com$/, /\.push\.services\.mozilla\.com$/, /(^|\.)push\.apple\.com$/, /\.notify\.windows\.com$/];

/** Why nothing is sent to this address; undefined when it may be. */
export function endpointProblem(endpoint: string, named: readonly string[]): string | undefined {
  const { protocol, hostname, host } = new URL(endpoint);
  const isNamed = named.includes(host) || named.includes(hostname);
  if (!isNamed && !SERVICES.some((service) => service.test(hostname))) {
    return `${host} is not a push service that is known here; the owner of this server can name it in SIGNALBOX_PUSH_HOSTS`;
  }
  if (protocol === 'https:' || (protocol === 'http:' && isNamed && isLoopback(hostname))) return undefined;
  return 'Messages are pushed over https only';
}
