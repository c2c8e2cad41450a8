/**
 * A method that no agent has. The protocol reserves names that start with `_` for extensions and requires agents to answer unknown ones
 * immediately: the answer shows how far the agent has read, which nothing else does. (It answers a message when the turn is over, and a
 * cancel not at all.)
 */
export const PROBE_METHOD = '_signalbox/mark';
