import { agentsWith } from './agents/index.ts';
import type { Config } from './config.ts';
import { type Replayed, replayRecording } from './engine/rebuild/replay-recording.ts';

/** `signalbox replay`: a recording through today's adapters. */
export const replay = (config: Pick<Config, 'configuredAgents'>, lines: AsyncIterable<string>): Promise<Replayed> =>
  replayRecording(lines, agentsWith(config.configuredAgents));
