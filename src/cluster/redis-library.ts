/** A bundle of its own: it is loaded when a Redis URL is set, and a server without one doesn't pay for it. */
export { Redis } from 'ioredis';
