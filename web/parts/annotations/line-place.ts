import type { CommentPlace } from './comment-context.ts';

/** Where a comment on lines of a file belongs. */
export function linePlace(file: string, lines: readonly [number, number], quote: string, side?: 'old' | 'new'): CommentPlace {
  const [from, to] = lines;
  return {
    target: { type: 'code', file, lineStart: from, ...(to > from && { lineEnd: to }), ...(side !== undefined && { side }) },
    quote,
    title: to > from ? `${file}:${from}–${to}` : `${file}:${from}`,
  };
}

/** The rows of a list that a selection covers, by `data-index`; one that ends before the first letter of a row doesn't cover it. */
export function rowsIn({ startContainer, endContainer, endOffset }: Range): readonly [number, number] | undefined {
  const [from, to] = [indexAt(startContainer), indexAt(endContainer)];
  if (from === undefined || to === undefined) return undefined;
  return [from, endOffset === 0 && to > from ? to - 1 : to];
}

function indexAt(node: Node): number | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  const index = element?.closest('[data-index]')?.getAttribute('data-index');
  return index === null || index === undefined ? undefined : Number(index);
}
