/** One word of a command, its quotes taken away. */
export interface Word {
  readonly text: string;
  /** Where in the text a shell would still put something else: an unquoted `*`, `?` or `[`, and `~` or `=` at their places. */
  readonly live: readonly number[];
}

/** A program's name and its arguments, as they would arrive at it. */
export type Command = readonly [Word, ...Word[]];

export type Join = '&&' | '||' | ';' | '|';

/** What a line would run. With a problem the commands are only what could be seen, and more may be hidden. */
export interface Line {
  readonly commands: readonly Command[];
  /** What stands between one command and the next. */
  readonly joins: readonly Join[];
  /** Why the line is not understood wholly, in words. */
  readonly problem: string | undefined;
}
