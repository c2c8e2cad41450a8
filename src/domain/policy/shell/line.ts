/** One word of a command, without its quotes. */
export interface Word {
  readonly text: string;
  /** Positions in the text that a shell would still expand: an unquoted `*`, `?` or `[`, and `~` or `=` where they are special. */
  readonly live: readonly number[];
}

/** A program's name and its arguments, as the program would receive them. */
export type Command = readonly [Word, ...Word[]];

export type Join = '&&' | '||' | ';' | '|';

/** What a line would run. If there is a problem, these are only the visible commands, and more can be hidden. */
export interface Line {
  readonly commands: readonly Command[];
  /** The operators between the commands. */
  readonly joins: readonly Join[];
  /** Why the line is not fully understood. */
  readonly problem: string | undefined;
}
