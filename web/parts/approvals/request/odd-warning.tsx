import { TriangleAlert } from 'lucide-react';
import { oddCount } from '../../../../src/protocol/odd-characters.ts';
import { countText } from '../../../base/words/words.ts';

/** Says that something in the text would not be seen by itself. */
export function OddWarning({ text }: { readonly text: string }) {
  const count = oddCount(text);
  if (count === 0) return null;
  return (
    <p className="odd-warning">
      <TriangleAlert size={14} aria-hidden="true" />
      {`Look closely: ${countText(count, 'character')} in it cannot be seen or turn text around. They are shown as numbers.`}
    </p>
  );
}
