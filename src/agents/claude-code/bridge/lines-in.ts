const NEWLINE = 0x0a;

/** Complete lines without their newlines, read only as fast as they are consumed: the rest stays in the pipe. Only a newline ends a line, as on the bus. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, at)]).toString('utf8');
      parts = [];
      from = at + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  // Anything left is an incomplete line, so it is dropped.
}
