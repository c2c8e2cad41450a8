/** Every bound a person or a program can meet, in one place; docs/operations.md explains them. */
export const LIMITS = {
  messageTextBytes: 10 * 1024 * 1024,
  imageBytes: 5 * 1024 * 1024,
  imagesPerMessage: 20,
  contextItems: 50,
  frameBytes: 32 * 1024 * 1024,
  agentLineBytes: 64 * 1024 * 1024,
  /** Longer strings of an event become blobs, their head stays. */
  inlineBytes: 64 * 1024,
  inlineHeadChars: 4096,
  pageDefault: 200,
  pageMax: 1000,
  queueLength: 200,
  titleChars: 200,
  /** Of an exported document: one long text, and all its images together. */
  exportTextBytes: 1024 * 1024,
  exportImagesBytes: 50 * 1024 * 1024,
  personStateBytes: 256 * 1024,
  /** A continued conversation shows this many of its last events. */
  inheritedEvents: 2000,
  /** A summary made without the agent is no longer than this. */
  extractBytes: 16 * 1024,
  /** Conversations on disk that one answer lists. */
  pastListed: 200,
  /** Browsers that one person can get notifications in. */
  pushDevices: 20,
  /** Of a search: its words, and the hits of one answer. */
  searchChars: 1000,
  searchHits: 200,
  /** Names of files that one answer proposes while somebody types. */
  fileNames: 50,
  /** A longer text of an event is searched in its head only: to look through more for one hit would keep everybody waiting. */
  searchedTextBytes: 1024 * 1024,
  /** Of what a session changed: the patches of one answer, and one patch that is read. */
  changesBytes: 2 * 1024 * 1024,
  patchBytes: 1024 * 1024,
  /** Of a working folder: things listed, how much of a text is shown, and the largest image. */
  folderEntries: 2000,
  fileTextBytes: 1024 * 1024,
  fileImageBytes: 10 * 1024 * 1024,
  /** Of a working tree: files listed, and one difference. */
  treeFiles: 2000,
  treePatchBytes: 1024 * 1024,
  /** Of a timeline: spans of each kind; neighbours become one beyond it. */
  timelineSpans: 2000,
  /** Of raw lines: one page, and of one line what is shown. */
  rawPageBytes: 256 * 1024,
  rawLineBytes: 16 * 1024,
} as const;
