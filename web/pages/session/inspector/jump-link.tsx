import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { useInspector } from './inspector-context.ts';
import { useInspectorSearch } from './use-inspector-search.ts';

/** Below this width the inspector covers the transcript. */
const COVERS = '(max-width: 900px)';

/** Goes to an event of the transcript. The inspector stays open where both fit. */
export function useJump(): (seq: number) => void {
  const { sessionId } = useInspector();
  const [{ wide }] = useInspectorSearch();
  const navigate = useNavigate();
  return (seq) => {
    const hash = `e${seq}`;
    if (wide !== undefined || matchMedia(COVERS).matches) return void navigate({ to: '/s/$sessionId', params: { sessionId }, hash });
    void navigate({ to: '.', search: true, hash });
  };
}

interface JumpLinkProps {
  readonly seq: number;
  readonly className?: string;
  readonly title?: string;
  readonly children: ReactNode;
}

export function JumpLink({ seq, className = 'text-button', title, children }: JumpLinkProps) {
  const { sessionId } = useInspector();
  const jump = useJump();
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    jump(seq);
  };
  return (
    <Link to="/s/$sessionId" params={{ sessionId }} hash={`e${seq}`} className={className} title={title} onClick={onClick}>
      {children}
    </Link>
  );
}
