import { delimiter, dirname } from 'node:path';
import type { Launch } from '../agents/port/adapter.ts';
import type { Interpreter } from './located.ts';

/** Launches the program with its interpreter: as the command, or, for a script that only starts another program, first on PATH. */
export function runWithInterpreter(interpreter: Interpreter | undefined, program: string, launch: Launch): Launch {
  if (interpreter === undefined) return launch;
  if (interpreter.isOnPath) return { ...launch, env: { ...launch.env, PATH: [dirname(interpreter.path), launch.env.PATH ?? ''].join(delimiter) } };
  return launch.command === program ? { ...launch, command: interpreter.path, args: [program, ...launch.args] } : launch;
}
