import { Link } from '@tanstack/react-router';

export function NotFound() {
  return (
    <main className="help-page">
      <h1>There is nothing at this address</h1>
      <p>The link may be mistyped, or what it pointed to was deleted. Sessions that were deleted here are still in their agent’s own records.</p>
      <div className="help-acts">
        <Link to="/" className="button primary">
          To the deck
        </Link>
        <Link to="/sessions" className="button">
          All sessions
        </Link>
      </div>
    </main>
  );
}
