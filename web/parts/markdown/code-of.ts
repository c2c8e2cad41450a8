interface Node {
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

/** The text and the language of a fenced block, from its tree. */
export function codeOf(pre: unknown): { readonly code: string; readonly language: string } {
  const code = (pre as Node | undefined)?.children?.find((child) => child.tagName === 'code');
  const names = code?.properties?.className;
  const name = Array.isArray(names) ? names.find((value) => typeof value === 'string' && value.startsWith('language-')) : undefined;
  return { code: textOf(code).replace(/\n$/, ''), language: typeof name === 'string' ? name.slice('language-'.length) : '' };
}

const textOf = (node: Node | undefined): string => node?.value ?? node?.children?.map(textOf).join('') ?? '';
