import { TriangleAlert } from 'lucide-react';
import { useApp } from '../../store/cockpit-context.ts';

/** What doesn't work on the server, until it works again. */
export function ProblemBar() {
  const problems = useApp((state) => state.problems);
  const cluster = useApp((state) => state.machines?.cluster);
  return (
    <div className="problem-bar" role="status">
      {cluster === 'superseded' && (
        <p>
          <TriangleAlert size={14} aria-hidden="true" />
          <span>A copy of this server’s data folder joined the cluster later, so this one works alone. Stop one of the two.</span>
        </p>
      )}
      {problems.map(({ text }) => (
        <p key={text}>
          <TriangleAlert size={14} aria-hidden="true" />
          <span>{text}</span>
        </p>
      ))}
    </div>
  );
}
