import { Link } from '@tanstack/react-router';

export function NotFound() {
  return (
    <main className="help-page">
      <h1>There is nothing at this address</h1>
      <p>The link may be mistyped, or what it pointed to was deleted.</p>
      <Link to="/" className="button">
        All sessions
      </Link>
    </main>
  );
}
