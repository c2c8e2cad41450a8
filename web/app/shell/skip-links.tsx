interface SkipLinksProps {
  readonly inSession: boolean;
}

/** The first Tab stops of every page: straight to what a person came for. */
export function SkipLinks({ inSession }: SkipLinksProps) {
  return (
    <div className="skip-links">
      {inSession ? (
        <>
          <SkipLink to=".composer textarea">Skip to the message field</SkipLink>
          <SkipLink to=".transcript">Skip to the transcript</SkipLink>
        </>
      ) : (
        <SkipLink to="main">Skip to the content</SkipLink>
      )}
    </div>
  );
}

/** A button, because an address would change what a reload opens. */
const SkipLink = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <button type="button" className="button" onClick={() => focusOn(to)}>
    {children}
  </button>
);

function focusOn(selector: string): void {
  const target = document.querySelector<HTMLElement>(selector);
  if (target === null) return;
  if (!target.matches('textarea, [tabindex]')) target.tabIndex = -1;
  target.focus();
}
