/** A stretch of a markdown text: words, or what stands in a fence. */
export interface FencedPart {
  readonly isCode: boolean;
  readonly text: string;
}

/** Splits at fences. One that is never closed ends with the text. */
export function fencedPartsOf(text: string): readonly FencedPart[] {
  const done: FencedPart[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const close = (isCode: boolean) => {
    if (lines.length > 0) done.push({ isCode, text: lines.join('\n') });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence === undefined && mark?.[1] !== undefined) {
      close(false);
      fence = mark[1];
    } else if (fence !== undefined && mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') {
      close(true);
      fence = undefined;
    } else lines.push(line);
  }
  close(fence !== undefined);
  return done;
}

/** Characters that move a cursor, or turn the direction of writing, show something else than what is there. */
export const visible = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be found
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '�').replace(/\r\n?/g, '\n');
