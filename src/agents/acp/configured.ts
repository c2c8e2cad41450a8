import * as z from 'zod/mini';
import { PermissionMode } from '../../protocol/session.ts';
import { AgentRuntime } from '../runtime.ts';

/** What an agent may be able to do beyond what the protocol asks of all: to be named by whoever configures it. */
const ABILITIES = ['permissions', 'resume', 'images', 'thinking', 'cost', 'setModel', 'setThinking'] as const;

/** An agent that speaks ACP, as a person describes it in the config file. */
export const AcpAgent = z.strictObject({
  title: z.string().check(z.minLength(1), z.maxLength(60)),
  /** A program on PATH, or the path of one. */
  command: z.string().check(z.minLength(1)),
  args: z._default(z.array(z.string()), []),
  ...AgentRuntime.shape,
  /** How the program is asked for its version. */
  versionArgs: z._default(z.array(z.string()), ['--version']),
  can: z._default(z.array(z.enum(ABILITIES)), []),
  /** Modes of the agent that are called like ours. */
  modes: z._default(z.array(PermissionMode), []),
});
export type AcpAgent = z.infer<typeof AcpAgent>;
