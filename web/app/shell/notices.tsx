import { CircleAlert, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import type { Notice } from '../../store/state/app-state.ts';

/** Info notices close by themselves; errors stay until dismissed. */
const READ_MS = 6000;

/** Results of what the person did, nothing else. */
export function Notices() {
  const notices = useApp((state) => state.notices);
  return (
    <div className="notices" role="alert">
      {notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeLine({ notice: { id, level, text } }: { readonly notice: Notice }) {
  const cockpit = useCockpit();
  useEffect(() => {
    if (level !== 'info') return;
    const timer = setTimeout(() => cockpit.dismiss(id), READ_MS);
    return () => clearTimeout(timer);
  }, [cockpit, id, level]);
  return (
    <p className={`notice notice-${level}`}>
      {level === 'info' ? <Info size={15} aria-hidden="true" /> : <CircleAlert size={15} aria-hidden="true" />}
      <span>{text}</span>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => cockpit.dismiss(id)}>
        <X size={14} aria-hidden="true" />
      </button>
    </p>
  );
}
