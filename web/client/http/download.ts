import { SignedLink } from '../../../src/protocol/api/sign-in.ts';
import { caller } from './api.ts';

/** The same address, signed for a minute: a browser that follows a link sends no key. */
export async function signedLink(base: string, path: string): Promise<string> {
  const { url } = SignedLink.parse(await caller(base)('POST', 'api/links', { path }));
  return new URL(url, base).href;
}

/** Saves a file of the server. It is streamed to the disk, however long it is; throws what the server said when it refuses. */
export async function download(base: string, path: string): Promise<void> {
  const link = document.createElement('a');
  link.href = await signedLink(base, path);
  link.download = '';
  link.click();
}
