import type { FastifyRequest } from 'fastify';

/** Our own command line identifies itself with this header. It is a hint for the audit log and grants nothing. */
export const SOURCE_HEADER = 'x-signalbox-door';

/**
 * The channel and address of a request: `page 127.0.0.1`. The address is that of the connection itself. What a
 * proxy reports counts only when a proxy is configured, and only from this machine.
 */
export function requestSource(request: FastifyRequest, showsToken: boolean): string {
  return `${channelOf(request, showsToken)} ${request.ip.replace(/^::ffff:(?=\d+\.)/, '')}`;
}

function channelOf(request: FastifyRequest, showsToken: boolean): 'page' | 'terminal' | 'socket' | 'http' {
  if (!showsToken) return 'page';
  if (request.headers[SOURCE_HEADER] === 'terminal') return 'terminal';
  return request.ws ? 'socket' : 'http';
}
