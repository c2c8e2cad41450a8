import { TriangleAlert } from 'lucide-react';
import { oddCount } from '../../../../src/protocol/odd-characters.ts';
import { countText } from '../../../base/text/format.ts';

/** Warns about characters that would be invisible. */
export function HiddenCharacterWarning({ text }: { readonly text: string }) {
  const count = oddCount(text);
  if (count === 0) return null;
  return (
    <p className="odd-warning">
      <TriangleAlert size={14} aria-hidden="true" />
      {`Look closely: ${countText(count, 'character')} in this text can’t be seen or reverse the text. Shown as numbers.`}
    </p>
  );
}
