/** The server's threads: the source of each and its file name next to the built server. `src/package-info.ts` and `records-thread.ts` use these names. */
export const THREADS = [
  { from: 'src/index/list/worker.ts', to: 'list-worker.js' },
  { from: 'src/index/threads/records-thread.ts', to: 'records-thread.js' },
  { from: 'src/index/threads/writer-thread.ts', to: 'writer-thread.js' },
  { from: 'src/index/threads/reader-thread.ts', to: 'reader-thread.js' },
];
