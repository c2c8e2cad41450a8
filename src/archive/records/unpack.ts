import { decompress } from 'fzstd';

/** The text of what was packed with zstd. Node 20 cannot do it by itself. */
export const unpack = (packed: Uint8Array): string => Buffer.from(decompress(packed)).toString('utf8');
