import type { Engine } from '../../../engine/engine.ts';
import { TagList } from '../../../protocol/http.ts';
import { type Route, route } from '../route.ts';

export const TAGS_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/tags',
    role: 'viewer',
    summary: 'Tags of sessions and of their messages, most used first',
    answer: { status: 200, schema: TagList },
    handle: ({ engine }) => ({ status: 200, body: { tags: tagsIn(engine) } }),
  }),
];

function tagsIn(engine: Engine): readonly { readonly tag: string; readonly sessions: number }[] {
  const counts = new Map<string, number>();
  for (const { tags, messageTags = [] } of engine.sessions()) for (const tag of new Set([...tags, ...messageTags])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([tag, sessions]) => ({ tag, sessions })).sort((a, b) => b.sessions - a.sessions || (a.tag < b.tag ? -1 : 1));
}
