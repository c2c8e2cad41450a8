/** On a plain-http page there is no clipboard API: then the text is selected in a field and copied. */
export async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  copyBySelection(text, document);
}

/** Throws when nothing was copied. */
export function copyBySelection(text: string, page: Document): void {
  const before = page.querySelector<HTMLElement>(':focus');
  const field = page.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  // An editable field would open a phone's keyboard.
  field.readOnly = true;
  // Nothing outside the topmost dialog can be selected.
  ([...page.querySelectorAll('dialog[open]')].at(-1) ?? page.body).append(field);
  field.select();
  const isCopied = page.execCommand('copy');
  field.remove();
  before?.focus();
  if (!isCopied) throw new Error('the browser blocked it. Select the text and copy it yourself.');
}
