/**
 * A method that no agent has. The protocol keeps names that begin with `_` for extensions and has every agent answer an unknown one
 * at once: that answer says how far the agent has read, which nothing else tells. (It answers a message when its turn is over, and a
 * cancel not at all.)
 */
export const MARK = '_signalbox/mark';
