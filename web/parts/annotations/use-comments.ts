import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Event } from '../../../src/protocol/event.ts';
import { type AnnotationApi, createAnnotationApi } from '../../client/http/annotation-api.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { errorText, oneAtATime } from '../common/one-at-a-time.ts';
import type { Comment } from './groups.ts';

/** Does something with comments and shows the result, or why it was refused. True if it was done. */
export type Act = (work: (api: AnnotationApi) => Promise<unknown>) => Promise<boolean>;

/** Events after which a comment, its place or its answer may have changed. */
const CHANGES = /^(annotation|review)\.|^(tool|turn)\.completed$/;

/** The comments of a session, loaded again after every event that may change them. */
export function useComments(sessionId: string) {
  const [comments, setComments] = useState<readonly Comment[]>();
  const [problem, setProblem] = useState<string>();
  const api = useMemo(() => createAnnotationApi(document.baseURI), []);
  const load = useMemo(
    () => oneAtATime(async () => api.ofSession(sessionId).then(setComments, (error: unknown) => setProblem(errorText(error)))),
    [api, sessionId],
  );
  const last = useApp((state) => state.open.get(sessionId)?.transcript.events.findLast(({ type }: Event) => CHANGES.test(type))?.seq ?? 0);
  // Outside the session's page only the number of drafts is known.
  const drafts = useApp((state) => state.sessions.get(sessionId)?.drafts);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again after such an event
  useEffect(() => void load(), [load, last, drafts]);
  const act: Act = useCallback(
    async (work) => {
      try {
        await work(api);
        setProblem(undefined);
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
