import { useState } from 'react';
import * as z from 'zod/mini';
import { useKept } from '../../parts/common/use-kept.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

const Title = z.optional(z.string());

/** A click lets a person give the session another name. */
export function SessionTitle({ sessionId, title }: { readonly sessionId: string; readonly title: string }) {
  const cockpit = useCockpit();
  const [isAsked, setAsked] = useState(false);
  const [draft, setDraft] = useKept(`title:${sessionId}`, Title, undefined);
  const open = () => {
    setAsked(true);
    setDraft(title);
  };
  const keep = () => {
    const next = draft?.trim() ?? '';
    setDraft(undefined);
    if (next !== '' && next !== title) void cockpit.rename(sessionId, next);
  };
  if (draft === undefined) {
    return (
      <h1 className="session-title">
        <button type="button" title={`${title} (click to rename)`} onClick={open}>
          {title}
        </button>
      </h1>
    );
  }
  return (
    <input
      className="session-title-field"
      aria-label="Title"
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
      autoFocus={isAsked}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        setDraft(undefined);
      }}
    />
  );
}
