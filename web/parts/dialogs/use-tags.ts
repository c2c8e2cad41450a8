import { useEffect, useState } from 'react';
import type { TagCount } from '../../client/http/session-list-api.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** Tags in use, most used first; none while they are not known. */
export function useTags(): readonly TagCount[] {
  const cockpit = useCockpit();
  const described = useApp((state) => state.described);
  const [tags, setTags] = useState<readonly TagCount[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tag may have come or gone
  useEffect(() => {
    let isHere = true;
    void cockpit.tags().then((told) => isHere && setTags(told));
    return () => {
      isHere = false;
    };
  }, [cockpit, described]);
  return tags;
}
