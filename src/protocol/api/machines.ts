import * as z from 'zod/mini';

/** What a machine says about itself to the others of its cluster. */
export const MachineFacts = z.object({
  hostname: z.string(),
  platform: z.string(),
  version: z.string(),
  /** Where people open this machine's own page, if it has an address for others. */
  url: z.optional(z.string()),
  live: z.int(),
  maxLive: z.int(),
  /** What people of other machines may do here at most. */
  clusterRole: z.enum(['viewer', 'driver', 'owner']),
  startedAt: z.string(),
});
export type MachineFacts = z.infer<typeof MachineFacts>;

/**
 * `here`: this machine. `gone`: it stopped, sleeps or has no network. `other-key`: it has another cluster key. `needs-update`: its version speaks another protocol.
 * `unreachable`: Redis can't be reached, so nobody knows.
 */
export const MachineState = z.enum(['here', 'reachable', 'gone', 'other-key', 'needs-update', 'unreachable']);
export type MachineState = z.infer<typeof MachineState>;

export const Machine = z.object({
  id: z.string(),
  state: MachineState,
  /** When it was last heard of, while it can't be reached. */
  since: z.optional(z.string()),
  facts: z.optional(MachineFacts),
  /** How many of its sessions are known here. */
  sessions: z.int(),
});
export type Machine = z.infer<typeof Machine>;

export const MachineList = z.object({
  /** `off`: no Redis URL is set. `superseded`: a copy of this data folder joined later, so this server works alone. */
  cluster: z.enum(['off', 'joining', 'joined', 'unreachable', 'superseded']),
  name: z.optional(z.string()),
  nodes: z.array(Machine),
  /** Frames that were not for this machine, changed or seen before. */
  ignoredFrames: z.optional(z.int()),
});
export type MachineList = z.infer<typeof MachineList>;
