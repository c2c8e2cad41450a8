/** The key that does the same as the button it stands in. */
export function KeyHint({ children }: { readonly children: string }) {
  return (
    <span className="key-hint" aria-hidden="true">
      {children}
    </span>
  );
}
