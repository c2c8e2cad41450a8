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
} as const;
