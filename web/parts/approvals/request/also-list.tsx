import { ArgumentsTree } from './arguments-tree.tsx';

/** The arguments that stand nowhere else on the card: nothing that would take effect may be missing. */
export function AlsoList({ rest }: { readonly rest: Readonly<Record<string, unknown>> }) {
  if (Object.keys(rest).length === 0) return null;
  return (
    <section className="also">
      <p className="request-note">Also:</p>
      <ArgumentsTree value={rest} />
    </section>
  );
}
