import type { ErrorComponentProps } from '@tanstack/react-router';
import { PartMissingError } from '../../base/browser/load-part.ts';

/** One surface broke: the rest of the page goes on. Says what happened, what was kept, and what to do. */
export function SurfaceError({ error, reset }: ErrorComponentProps) {
  if (error instanceof PartMissingError) return <PageTooOld />;
  return (
    <div className="help-page" role="alert">
      <h1>This part of the page broke</h1>
      <p>It is a fault of the page, not of your agents: they go on, the server keeps everything, and what you typed is kept in this browser.</p>
      <pre>{wordsOf(error)}</pre>
      <div className="help-acts">
        <button type="button" className="button primary" onClick={() => location.reload()}>
          Reload the page
        </button>
        <button type="button" className="button" onClick={reset}>
          Try again
        </button>
      </div>
      <p className="quiet">When it happens again, the words above tell the people who make Signalbox where to look.</p>
    </div>
  );
}

const PageTooOld = () => (
  <div className="help-page" role="alert">
    <h1>Reload the page to continue</h1>
    <p>The server was updated after this page was loaded, and no longer has this part of it. Your agents keep working, and what you typed is kept.</p>
    <div className="help-acts">
      <button type="button" className="button primary" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  </div>
);

const wordsOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
