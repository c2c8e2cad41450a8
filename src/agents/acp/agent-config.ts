import * as z from 'zod/mini';
import { PermissionMode } from '../../protocol/session.ts';
import { AgentRuntime } from '../port/agent-runtime.ts';

/** Optional capabilities that the protocol doesn't require: listed by the person who configures the agent. */
const ABILITIES = ['permissions', 'resume', 'images', 'thinking', 'cost', 'setModel', 'setThinking'] as const;

/** An ACP agent as defined in the config file. */
export const AcpAgentConfig = z.strictObject({
  title: z.string().check(z.minLength(1), z.maxLength(60)),
  /** A program on PATH, or the path of one. */
  command: z.string().check(z.minLength(1)),
  args: z._default(z.array(z.string()), []),
  ...AgentRuntime.shape,
  /** Arguments that make the program print its version. */
  versionArgs: z._default(z.array(z.string()), ['--version']),
  can: z._default(z.array(z.enum(ABILITIES)), []),
  /** Modes of the agent that have the same names as ours. */
  modes: z._default(z.array(PermissionMode), []),
});
export type AcpAgentConfig = z.infer<typeof AcpAgentConfig>;
