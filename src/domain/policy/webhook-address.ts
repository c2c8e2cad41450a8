/** Why nothing is sent to this address; undefined if it is fine. What agents do must not travel readable, and a secret in an address ends up in logs. */
export function addressProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'This is not a web address.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'The address must not contain a name or password. Receivers check the signature instead.';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return undefined;
  return 'Only https addresses, and http on this machine: what agents do would otherwise be readable on the way.';
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
