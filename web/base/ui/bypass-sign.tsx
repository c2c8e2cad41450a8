/** Red, and as text: this session asks for nothing. */
export function BypassSign({ mode }: { readonly mode: string | undefined }) {
  if (mode !== 'bypassPermissions') return null;
  return <span className="bypass-sign">Bypasses permissions</span>;
}
