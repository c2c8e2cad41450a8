/** The id of a line in the document. */
export const idOf = (key: string): string => `palette-${key.replaceAll(' ', '-')}`;
