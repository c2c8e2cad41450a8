/** Where a page came over plain http the browser gives it no clipboard: there the words are chosen in a field and copied as a hand would. */
export async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  copyByHand(text, document);
}

/** Throws when nothing was copied. */
export function copyByHand(text: string, page: Document): void {
  const before = page.querySelector<HTMLElement>(':focus');
  const field = page.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  // A field that can be written in opens the keyboard of a phone.
  field.readOnly = true;
  // What lies outside the topmost dialog cannot be chosen.
  ([...page.querySelectorAll('dialog[open]')].at(-1) ?? page.body).append(field);
  field.select();
  const isCopied = page.execCommand('copy');
  field.remove();
  before?.focus();
  if (!isCopied) throw new Error('the browser did not let it. Choose the words and copy them yourself.');
}
