/** Red, and in words: nothing this session does is asked about. */
export function BypassSign({ mode }: { readonly mode: string | undefined }) {
  if (mode !== 'bypassPermissions') return null;
  return <span className="bypass-sign">bypasses permissions</span>;
}
