/** A bundle of its own: it is loaded with the first request to /mcp, and a server that never gets one doesn't pay for it. */
export { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
