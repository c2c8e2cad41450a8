import { useEffect, useState } from 'react';
import type { TagCount } from '../../client/http/session-list-api.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** Tags in use, most used first; empty until loaded. */
export function useTags(): readonly TagCount[] {
  const cockpit = useCockpit();
  const described = useApp((state) => state.described);
  const [tags, setTags] = useState<readonly TagCount[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tags may have been added or removed
  useEffect(() => {
    let isMounted = true;
    void cockpit.tags().then((loaded) => isMounted && setTags(loaded));
    return () => {
      isMounted = false;
    };
  }, [cockpit, described]);
  return tags;
}
