/** How a line is recognized. Agents report tabs at its start as spaces, and line ends differ. */
export const keyOf = (text: string): string => text.replace(/\r$/, '').replace(/^[ \t]+/, (space) => space.replaceAll('\t', '  '));
