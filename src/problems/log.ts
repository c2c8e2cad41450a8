/** Where the server logs what happened: facts first, then a sentence. Facts never contain secrets. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
