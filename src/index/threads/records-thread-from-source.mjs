// Starts the worker when there is no bundle: Node 20 doesn't run `--import` hooks for a worker's own entry, so the loader is registered here.
import { register } from 'tsx/esm/api';

register();
await import('./records-thread.ts');
