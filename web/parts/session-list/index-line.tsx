import { useEffect } from 'react';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { indexText } from './index-text.ts';

/** While records are still being read, the list says so: what is missing may come. */
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
