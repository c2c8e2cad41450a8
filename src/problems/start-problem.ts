/** The server can't start, and the message says what to do: no stack trace is needed. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}
