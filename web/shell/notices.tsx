import { CircleAlert, Info, X } from 'lucide-react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';

export function Notices() {
  const notices = useApp((state) => state.notices);
  const cockpit = useCockpit();
  return (
    <div className="notices" role="alert">
      {notices.map((notice) => (
        <p key={notice.id} className={`notice notice-${notice.level}`}>
          {notice.level === 'info' ? <Info size={15} aria-hidden="true" /> : <CircleAlert size={15} aria-hidden="true" />}
          <span>{notice.text}</span>
          <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => cockpit.dismiss(notice.id)}>
            <X size={14} aria-hidden="true" />
          </button>
        </p>
      ))}
    </div>
  );
}
