import { useApp, useCockpit } from '../../store/cockpit-context.ts';

const NONE: readonly string[] = [];
/** More than a few would be a menu. */
const MAX_SHOWN = 3;

/** Replies that the agent suggests: a click puts one into the field, to edit or send. */
export function Suggestions({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const suggestions = useApp((state) => state.open.get(sessionId)?.transcript.suggestions ?? NONE);
  const isEmpty = useApp((state) => (state.drafts.get(sessionId) ?? '') === '');
  // The chip disappears with the click, so move the focus to the field.
  const take = (chip: HTMLElement, text: string) => {
    chip.closest('.composer-place')?.querySelector<HTMLElement>('.composer textarea')?.focus();
    cockpit.setDraft(sessionId, text);
  };
  if (!isEmpty || suggestions.length === 0) return null;
  return (
    <ul className="suggestions" aria-label="Suggested replies">
      {suggestions
        .slice(-MAX_SHOWN)
        .reverse()
        .map((text) => (
          <li key={text}>
            <button type="button" className="chip suggestion" title={text} onClick={(event) => take(event.currentTarget, text)}>
              {text}
            </button>
          </li>
        ))}
    </ul>
  );
}
