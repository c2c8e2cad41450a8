import { useEffect, useState } from 'react';
import { useCockpit } from '../app/cockpit-context.ts';
import type { TagCount } from '../client/library-api.ts';

/** Tags in use, most used first; none while they are not known. */
export function useTags(): readonly TagCount[] {
  const cockpit = useCockpit();
  const [tags, setTags] = useState<readonly TagCount[]>([]);
  useEffect(() => {
    let isHere = true;
    void cockpit.tags().then((told) => isHere && setTags(told));
    return () => {
      isHere = false;
    };
  }, [cockpit]);
  return tags;
}
