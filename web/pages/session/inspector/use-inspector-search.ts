import { useLocation, useNavigate } from '@tanstack/react-router';
import { type SideSearch, sideSearch } from '../../../parts/address/inspector-address.ts';

/** What the address says of the side that is open, and how to say something else. The place in the transcript stays as it is. */
export function useSideSearch(): readonly [SideSearch, (change: SideSearch, options?: { readonly replace?: boolean }) => void] {
  const search = sideSearch(useLocation({ select: (location) => location.search }));
  const navigate = useNavigate();
  const change = (part: SideSearch, { replace = true } = {}) =>
    void navigate({ to: '.', search: (before: Record<string, unknown>) => sideSearch({ ...before, ...part }), hash: true, replace });
  return [search, change];
}
