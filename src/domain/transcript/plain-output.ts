const TAGS = /<\/?(?:tool_use_error|persisted-output)>\n?/g;

/** Output without the tags that agents put around it for their model. */
export const plainOutput = (output: string): string => (output.search(TAGS) === -1 ? output : output.replace(TAGS, '').trimEnd());
