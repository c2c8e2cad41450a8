import { countOf, type DiffLine } from './patch.ts';

export function DiffCount({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <span className="diff-count">
      <span className="added">+{countOf(lines, 'add')}</span> <span className="deleted">−{countOf(lines, 'del')}</span>
    </span>
  );
}
