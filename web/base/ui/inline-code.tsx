import { VisibleText } from './visible-text.tsx';

/** Text in which backticks mark code. */
export function InlineCode({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) => {
    const Piece = at % 2 === 0 ? 'span' : 'code';
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
      <Piece key={at}>
        <VisibleText text={part} />
      </Piece>
    );
  });
}
