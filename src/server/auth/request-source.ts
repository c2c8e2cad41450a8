import type { FastifyRequest } from 'fastify';

/** Our own command line says so with this header. It is a hint for the audit and gives no right. */
export const DOOR_HEADER = 'x-signalbox-door';

/**
 * Through which door a request came, and from which address: `page 127.0.0.1`. The address is that of the connection itself; what a
 * proxy says of it counts only where the server was told of a proxy, and only from this machine.
 */
export function fromWhere(request: FastifyRequest, showsToken: boolean): string {
  return `${doorOf(request, showsToken)} ${request.ip.replace(/^::ffff:(?=\d+\.)/, '')}`;
}

function doorOf(request: FastifyRequest, showsToken: boolean): 'page' | 'terminal' | 'socket' | 'http' {
  if (!showsToken) return 'page';
  if (request.headers[DOOR_HEADER] === 'terminal') return 'terminal';
  return request.ws ? 'socket' : 'http';
}
