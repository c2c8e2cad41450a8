import { useEffect } from 'react';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { indexText } from './index-text.ts';

/** Shown while sessions of other programs are still being imported: a missing one may still appear. */
export function IndexLine() {
  const cockpit = useCockpit();
  const index = useApp((state) => state.index);
  useEffect(() => void cockpit.loadIndex(), [cockpit]);
  const text = index === undefined ? '' : indexText(index);
  return (
    <p className="index-line" role="status">
      {text}
    </p>
  );
}
