import { Link } from '@tanstack/react-router';

export function NotFound() {
  return (
    <main className="help-page">
      <h1>Page not found</h1>
      <p>The link may be mistyped, or the page was deleted. Sessions deleted here are still in their agent’s own files.</p>
      <div className="help-acts">
        <Link to="/" className="button primary">
          Go to the deck
        </Link>
        <Link to="/sessions" className="button">
          All sessions
        </Link>
      </div>
    </main>
  );
}
