export interface WebAddress {
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** What a person should know before they believe it; empty when there is nothing. */
  readonly note: string;
}

/** Split by the browser's own reading of it: `https://bank.example@evil.example/` goes to evil.example. */
export function webAddress(url: string): WebAddress {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return { before: url, host: '', after: '', note: 'This is no address that a browser understands.' };
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
  if (parsed.password !== '') return 'What stands before the @ is a name and a password, not the place it goes to.';
  if (parsed.username !== '') return 'What stands before the @ is a name, not the place it goes to.';
  if (parsed.hostname.includes('xn--')) return `The name uses other scripts and is shown as the machine reads it; it was written ${url}`;
  if (parsed.href !== url && parsed.href !== `${url}/`) return `Shown as the machine reads it; it was written ${url}`;
  return parsed.protocol === 'http:' ? 'Not encrypted: everybody on the way can read and change it.' : '';
}
