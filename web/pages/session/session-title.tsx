import { useState } from 'react';
import * as z from 'zod/mini';
import { useActions } from '../../base/actions/actions-context.ts';
import { useFormDraft } from '../../parts/common/use-form-draft.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

const Title = z.optional(z.string());

/** The title. Click to rename. */
export function SessionTitle({ sessionId, title }: { readonly sessionId: string; readonly title: string }) {
  const cockpit = useCockpit();
  const [isJustOpened, setJustOpened] = useState(false);
  const [draft, setDraft] = useFormDraft(`title:${sessionId}`, Title, undefined);
  const open = () => {
    setJustOpened(true);
    setDraft(title);
  };
  useActions({ 'session.rename': open });
  const save = () => {
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
      autoFocus={isJustOpened}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        setDraft(undefined);
      }}
    />
  );
}
