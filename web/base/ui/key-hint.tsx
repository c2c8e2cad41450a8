/** The shortcut of the button that contains it. */
export function KeyHint({ children }: { readonly children: string }) {
  return (
    <span className="key-hint" aria-hidden="true">
      {children}
    </span>
  );
}
