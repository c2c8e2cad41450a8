import { useCallback, useEffect, useMemo, useState } from 'react';
import { createAnnotationApi } from '../../client/http/annotation-api.ts';
import type { AnnotationFilter } from '../../parts/address/annotations-address.ts';
import type { Comment } from '../../parts/annotations/groups.ts';
import type { Act } from '../../parts/annotations/use-comments.ts';
import { errorText, oneAtATime } from '../../parts/common/one-at-a-time.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** Comments of all sessions that match, loaded again when a session's drafts or status change. */
export function useAllComments({ session, state, kind, file }: AnnotationFilter) {
  const [comments, setComments] = useState<readonly Comment[]>();
  const [problem, setProblem] = useState<string>();
  const api = useMemo(() => createAnnotationApi(document.baseURI), []);
  const load = useMemo(() => {
    let isCurrent = true;
    const once = oneAtATime(async () => {
      const answer = await api.list({ session, state, kind, file }).catch((error: unknown) => errorText(error));
      if (!isCurrent) return;
      if (typeof answer === 'string') return setProblem(answer);
      setProblem(undefined);
      setComments(answer);
    });
    return Object.assign(once, { forget: () => (isCurrent = false) });
  }, [api, session, state, kind, file]);
  const changes = useApp(({ sessions }) => [...sessions.values()].map(({ id, drafts = 0, status }) => `${id} ${drafts} ${status}`).join());
  useEffect(() => () => void load.forget(), [load]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: such a change is the reason to load again
  useEffect(() => void load(), [load, changes]);
  const act: Act = useCallback(
    async (work) => {
      try {
        await work(api);
        await load();
        return true;
      } catch (error) {
        setProblem(errorText(error));
        return false;
      }
    },
    [api, load],
  );
  return { comments, problem, act };
}
