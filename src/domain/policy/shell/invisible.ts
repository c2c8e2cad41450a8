/** Characters that a reader cannot see, or sees in a different place than the shell: control characters, unusual spaces, direction marks, fillers. */
const INVISIBLE = /(?![ \t\n\r])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|\p{Cs}/u;

export function invisibleIn(text: string): string | undefined {
  const found = INVISIBLE.exec(text)?.[0].codePointAt(0);
  return found === undefined ? undefined : `it has an invisible character (U+${found.toString(16).toUpperCase().padStart(4, '0')})`;
}
