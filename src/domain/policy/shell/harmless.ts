import type { Known } from './arguments.ts';
import type { Command } from './line.ts';
import { obstacleIn } from './obstacle.ts';
import { READERS } from './programs/index.ts';
import { list } from './wrappers.ts';

/** Listed, but not for a rule that names no program: they are not on every system what they are on this one, or they write files. */
const NOT_WITHOUT_NAME: ReadonlySet<string> = new Set(list('ug ack ag shuf split yq'));

/** These only read, or run what the project itself defines. Not yarn: its `run` takes any program of the project's packages, and with it any script. */
const OTHERS: ReadonlySet<string> = new Set(list('sed git gh docker podman npm pnpm cargo go make pytest'));

/**
 * Whether a rule that names no program can cover a command. Nobody can list all programs that run others, so this is an allow list:
 * only what is known passes, by its plain name (`./ls` is another program), and only if nothing in its arguments speaks against it.
 */
export function isHarmless(command: Command, known: Known): boolean {
  const [name] = command;
  const isKnown = OTHERS.has(name.text) || (Object.hasOwn(READERS, name.text) && !NOT_WITHOUT_NAME.has(name.text));
  return isKnown && obstacleIn(command, known) === undefined;
}
