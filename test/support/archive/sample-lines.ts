/** Distinct lines of a record, `bytes` in total or a little more; the same for the same seed. */
export function linesOf(bytes: number, seed = 'line'): string {
  const lines: string[] = [];
  for (let length = 0, count = 0; length < bytes; count++) {
    const line = `${JSON.stringify({ uuid: `${seed}-${count}`, text: `${count * 7919} `.repeat(1 + ((count * 31) % 120)) })}\n`;
    lines.push(line);
    length += line.length;
  }
  return lines.join('');
}
