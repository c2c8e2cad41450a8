/** Every limit that a person or a program can reach, in one place; docs/operations.md explains them. */
export const LIMITS = {
  messageTextBytes: 10 * 1024 * 1024,
  imageBytes: 5 * 1024 * 1024,
  imagesPerMessage: 20,
  contextItems: 50,
  frameBytes: 32 * 1024 * 1024,
  agentLineBytes: 64 * 1024 * 1024,
  /** Longer strings of an event become blobs; their head stays. */
  inlineBytes: 64 * 1024,
  inlineHeadChars: 4096,
  pageDefault: 200,
  pageMax: 1000,
  queueLength: 200,
  titleChars: 200,
  /** For a comment or a suggestion in a review. */
  commentChars: 20_000,
  /** For one review: annotations, and the document an agent gets. */
  reviewAnnotations: 100,
  reviewBytes: 200 * 1024,
  /** For an exported document: one long text, and all its images together. */
  exportTextBytes: 1024 * 1024,
  exportImagesBytes: 50 * 1024 * 1024,
  personStateBytes: 256 * 1024,
  /** A continued conversation shows this many of its last events. */
  inheritedEvents: 2000,
  /** A summary made without the agent is no longer than this. */
  extractBytes: 16 * 1024,
  /** Conversations on disk listed in one answer. */
  pastListed: 200,
  /** Browsers that one person can get notifications in. */
  pushDevices: 20,
  /** For a search: its text, and the hits in one answer. */
  searchChars: 1000,
  searchHits: 200,
  /** File names suggested while somebody types. */
  fileNames: 50,
  /** Only the head of a longer text is searched: searching more for one hit would keep everyone waiting. */
  searchedTextBytes: 1024 * 1024,
  /** For a session's changes: the patches in one answer, and a single patch. */
  changesBytes: 2 * 1024 * 1024,
  patchBytes: 1024 * 1024,
  /** For a working folder: entries listed, how much of a text is shown, and the largest image. */
  folderEntries: 2000,
  fileTextBytes: 1024 * 1024,
  fileImageBytes: 10 * 1024 * 1024,
  /** For a working tree: files listed, and a single diff. */
  treeFiles: 2000,
  treePatchBytes: 1024 * 1024,
  /** For a revert: paths named in one request, and files restored at once. */
  revertPaths: 1000,
  revertFiles: 20_000,
  /** Changed files named in the event of a checkpoint, and files it had to leave out. */
  checkpointFiles: 200,
  /** For a timeline: spans of each kind; beyond it, neighbors are merged. */
  timelineSpans: 2000,
  /** For raw lines: one page, and how much of one line is shown. */
  rawPageBytes: 256 * 1024,
  rawLineBytes: 16 * 1024,
} as const;
