import { SignedLink } from '../../../src/protocol/api/sign-in.ts';
import { caller } from './api.ts';

/** The same URL, signed for a minute: following a link sends no key. */
export async function signedLink(base: string, path: string): Promise<string> {
  const { url } = SignedLink.parse(await caller(base)('POST', 'api/links', { path }));
  return new URL(url, base).href;
}

/** Downloads a file, streamed to disk whatever its size. Throws the server's message if it refuses. */
export async function download(base: string, path: string): Promise<void> {
  const link = document.createElement('a');
  link.href = await signedLink(base, path);
  link.download = '';
  link.click();
}
