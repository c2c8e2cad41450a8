import { useLocation, useNavigate } from '@tanstack/react-router';
import { type InspectorSearch, inspectorSearch } from '../../../parts/address/inspector-address.ts';

/** The inspector's part of the address, and how to change it. The position in the transcript stays. */
export function useInspectorSearch(): readonly [InspectorSearch, (change: InspectorSearch, options?: { readonly replace?: boolean }) => void] {
  const search = inspectorSearch(useLocation({ select: (location) => location.search }));
  const navigate = useNavigate();
  const change = (part: InspectorSearch, { replace = true } = {}) =>
    void navigate({ to: '.', search: (before: Record<string, unknown>) => inspectorSearch({ ...before, ...part }), hash: true, replace });
  return [search, change];
}
