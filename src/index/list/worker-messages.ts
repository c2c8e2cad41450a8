import type { SessionQuery } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { HealthBrief } from '../../protocol/session.ts';
import type { CatalogueBatch } from './catalogue.ts';

export type Question =
  | { readonly ask: 'apply'; readonly batch: CatalogueBatch }
  | { readonly ask: 'list'; readonly query: SessionQuery }
  | { readonly ask: 'projects'; readonly agent: string | undefined; readonly hidden: readonly SessionId[] }
  | { readonly ask: 'brief'; readonly briefs: readonly (readonly [SessionId, HealthBrief])[] }
  | { readonly ask: 'tags' }
  | { readonly ask: 'counts' }
  | { readonly ask: 'cursor' }
  | { readonly ask: 'keepOnly'; readonly ids: readonly SessionId[]; readonly past: boolean }
  | { readonly ask: 'clear' }
  | { readonly ask: 'close' };

export type WorkerQuestion = Question & { readonly id: number };

export type WorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  /** `emptied`: the database was damaged and has been begun anew. */
  | { readonly id: number; readonly ok: false; readonly message: string; readonly name?: string; readonly emptied: boolean };
