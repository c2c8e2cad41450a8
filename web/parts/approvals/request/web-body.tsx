import { VisibleText } from '../../../base/ui/visible-text.tsx';
import { HiddenCharacterWarning } from './hidden-character-warning.tsx';
import { webAddress } from './web-address.ts';

interface WebBodyProps {
  readonly url?: string | undefined;
  readonly query?: string | undefined;
}

/** The destination: the host matters most, so it stands out. */
export function WebBody({ url, query }: WebBodyProps) {
  return (
    <>
      {url !== undefined && <Address url={url} />}
      {(query !== undefined || url === undefined) && (
        <p className="web-query">
          <VisibleText text={query ?? ''} />
        </p>
      )}
    </>
  );
}

function Address({ url }: { readonly url: string }) {
  const { before, host, after, note } = webAddress(url);
  return (
    <>
      <HiddenCharacterWarning text={url} />
      <p className="web-address" dir="ltr">
        <VisibleText text={before} />
        <strong>
          <VisibleText text={host} />
        </strong>
        <VisibleText text={after} />
      </p>
      {note !== '' && (
        <p className="odd-warning">
          <VisibleText text={note} />
        </p>
      )}
    </>
  );
}
