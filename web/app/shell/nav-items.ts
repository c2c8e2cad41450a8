import { ChartColumn, Columns2, GitBranch, Inbox, Library, MessageSquareText, Search, SlidersHorizontal, TextAlignStart } from 'lucide-react';
import type { ActionId } from '../../base/actions/action-list.ts';

/** The pages of the main navigation. */
export const NAV_ITEMS = [
  { to: '/', name: 'Deck', action: 'go.deck', Icon: TextAlignStart },
  { to: '/inbox', name: 'Inbox', action: 'go.inbox', Icon: Inbox },
  { to: '/sessions', name: 'All sessions', action: 'go.sessions', Icon: Library },
  { to: '/tiles', name: 'Side by side', action: 'go.tiles', Icon: Columns2 },
  { to: '/search', name: 'Search', action: 'go.search', Icon: Search },
  { to: '/annotations', name: 'Comments', action: 'go.annotations', Icon: MessageSquareText },
  { to: '/worktrees', name: 'Worktrees', action: 'go.worktrees', Icon: GitBranch },
  { to: '/usage', name: 'Usage', action: 'go.usage', Icon: ChartColumn },
  { to: '/settings', name: 'Settings', action: 'go.settings', Icon: SlidersHorizontal },
] as const satisfies readonly { readonly to: string; readonly name: string; readonly action: ActionId; readonly Icon: typeof Inbox }[];

export type NavItem = (typeof NAV_ITEMS)[number];
