import { X } from 'lucide-react';
import { NO_ATTACHMENTS } from '../../../client/storage/attachments.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { contextText } from './context-text.ts';

/** The attachments of the message; each can be removed. */
export function Attached({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const { pictures, context } = useApp((state) => state.attached.get(sessionId) ?? NO_ATTACHMENTS);
  if (pictures.length + context.length === 0) return null;
  return (
    <ul className="attached" aria-label="Attachments">
      {pictures.map((picture) => (
        <li key={picture.id} className="thumb">
          <img src={`data:${picture.mediaType};base64,${picture.base64}`} alt={`${picture.name}, ${Math.ceil(picture.bytes / 1024)} kB`} />
          <button
            type="button"
            className="thumb-remove"
            aria-label={`Remove ${picture.name}`}
            onClick={() => cockpit.attach(sessionId, (now) => ({ ...now, pictures: now.pictures.filter((other) => other.id !== picture.id) }))}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </li>
      ))}
      {context.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two quotes may be the same, and a chip has no state
        <li key={at} className="chip chip-removable" title={item.text}>
          <span className="mono">{contextText(item)}</span>
          <button
            type="button"
            aria-label={`Remove ${contextText(item)}`}
            onClick={() => cockpit.attach(sessionId, (now) => ({ ...now, context: now.context.filter((_, other) => other !== at) }))}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
