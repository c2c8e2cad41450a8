import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { LIMITS } from '../../protocol/limits.ts';
import type { KeptObservation } from '../../protocol/observation.ts';

/** A call's output as a whole, where the agent printed only part of it and saved the rest. If it can't be read, what was printed stays, and says so itself. */
export function withSavedOutput(observation: KeptObservation): KeptObservation {
  if (observation.type !== 'tool.completed' || observation.outputFile === undefined) return observation;
  const output = savedText(observation.outputFile);
  return output === undefined ? observation : { ...observation, output };
}

function savedText(path: string): string | undefined {
  let file: number | undefined;
  try {
    // A link could lead anywhere; the agent writes plain files.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = fstatSync(file);
    return fstatSync(file).isFile() && size <= LIMITS.agentLineBytes ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
