/** A part of a Markdown text: prose, or the code inside a fence. */
export interface FencedPart {
  readonly isCode: boolean;
  readonly text: string;
}

/** Splits at fences. An unclosed fence ends with the text. */
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

/** Replaces characters that move the cursor or change the text direction: they can hide what a text really says. */
export const visible = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to replace
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '�').replace(/\r\n?/g, '\n');
