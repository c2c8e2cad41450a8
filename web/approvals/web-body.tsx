import { VisibleText } from '../ui/visible-text.tsx';
import { OddWarning } from './odd-warning.tsx';

interface WebBodyProps {
  readonly url?: string | undefined;
  readonly query?: string | undefined;
}

/** Where it would go: the host is what matters, so it stands out. */
export function WebBody({ url, query }: WebBodyProps) {
  if (url === undefined) {
    return (
      <p className="web-query">
        <VisibleText text={query ?? ''} />
      </p>
    );
  }
  const parts = partsOf(url);
  return (
    <>
      <OddWarning text={url} />
      <p className="web-address" dir="ltr">
        <VisibleText text={parts.before} />
        <strong>
          <VisibleText text={parts.host} />
        </strong>
        <VisibleText text={parts.after} />
      </p>
      {parts.note !== '' && <p className="odd-warning">{parts.note}</p>}
    </>
  );
}

/** Split by the browser's own reading of it: `https://bank.example@evil.example/` goes to evil.example. */
function partsOf(url: string) {
  const parsed = URL.parse(url);
  if (parsed === null) return { before: url, host: '', after: '', note: 'This is no address that a browser understands.' };
  const who = parsed.username === '' ? '' : `${parsed.username}@`;
  const note = who === '' ? notes(url, parsed) : 'What stands before the @ is a name, not the place it goes to.';
  return { before: `${parsed.protocol}//${who}`, host: parsed.host, after: `${parsed.pathname}${parsed.search}${parsed.hash}`, note };
}

function notes(url: string, parsed: URL): string {
  if (parsed.hostname.includes('xn--')) return `The name uses other scripts and is shown as the machine reads it; it was written ${url}`;
  return parsed.protocol === 'http:' ? 'Not encrypted: everybody on the way can read and change it.' : '';
}
