import type { ErrorComponentProps } from '@tanstack/react-router';
import { PartMissingError } from '../../base/browser/load-part.ts';

/** Shown when one page crashes; the shell keeps working. Says what happened, what is saved and what to do. */
export function PageError({ error, reset }: ErrorComponentProps) {
  if (error instanceof PartMissingError) return <PageTooOld />;
  return (
    <div className="help-page" role="alert">
      <h1>Something went wrong on this page</h1>
      <p>Your agents keep working. Everything on the server and what you typed here is saved.</p>
      <pre>{errorText(error)}</pre>
      <div className="help-acts">
        <button type="button" className="button primary" onClick={() => location.reload()}>
          Reload the page
        </button>
        <button type="button" className="button" onClick={reset}>
          Try again
        </button>
      </div>
      <p className="quiet">If it happens again, include the message above in a bug report.</p>
    </div>
  );
}

const PageTooOld = () => (
  <div className="help-page" role="alert">
    <h1>Reload the page to continue</h1>
    <p>The server was updated after this page was loaded, and no longer has this part of it. Your agents keep working, and your unsent text is saved.</p>
    <div className="help-acts">
      <button type="button" className="button primary" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  </div>
);

const errorText = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
