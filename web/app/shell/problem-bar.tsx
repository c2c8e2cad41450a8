import { TriangleAlert } from 'lucide-react';
import { useApp } from '../../store/cockpit-context.ts';

/** What doesn't work on the server, until it works again. */
export function ProblemBar() {
  const problems = useApp((state) => state.problems);
  return (
    <div className="problem-bar" role="status">
      {problems.map(({ text }) => (
        <p key={text}>
          <TriangleAlert size={14} aria-hidden="true" />
          <span>{text}</span>
        </p>
      ))}
    </div>
  );
}
