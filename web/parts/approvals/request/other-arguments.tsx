import { ArgumentsTree } from './arguments-tree.tsx';

/** The arguments that appear nowhere else on the card: nothing that takes effect may be missing. */
export function OtherArguments({ rest }: { readonly rest: Readonly<Record<string, unknown>> }) {
  if (Object.keys(rest).length === 0) return null;
  return (
    <section className="also">
      <p className="request-note">Other arguments:</p>
      <ArgumentsTree value={rest} />
    </section>
  );
}
