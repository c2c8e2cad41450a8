export interface WebAddress {
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** What a person should know before they trust it; empty if nothing. */
  readonly note: string;
}

/** Split the way a browser reads it: `https://bank.example@evil.example/` goes to evil.example. */
export function webAddress(url: string): WebAddress {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return { before: url, host: '', after: '', note: 'This is not a valid web address.' };
  const { username, password } = parsed;
  const who = `${username}${password === '' ? '' : `:${password}`}`;
  return {
    before: `${parsed.protocol}//${who === '' ? '' : `${who}@`}`,
    host: parsed.host,
    after: `${parsed.pathname}${parsed.search}${parsed.hash}`,
    note: noteOf(url, parsed),
  };
}

function parsedUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

function noteOf(url: string, parsed: URL): string {
  if (parsed.password !== '') return 'The part before the @ is a user name and password, not the destination.';
  if (parsed.username !== '') return 'The part before the @ is a user name, not the destination.';
  if (parsed.hostname.includes('xn--')) return `The name uses non-Latin letters, so it is shown in encoded form. Original: ${url}`;
  if (parsed.href !== url && parsed.href !== `${url}/`) return `Shown the way a browser reads it. Original: ${url}`;
  return parsed.protocol === 'http:' ? 'Not encrypted: anyone on the network path can read and change it.' : '';
}
