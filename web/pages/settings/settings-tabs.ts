/** The tabs of the settings, in order. */
export const SETTINGS_TABS = [
  { to: '/settings/agents', name: 'Agents' },
  { to: '/settings/rules', name: 'Rules' },
  { to: '/settings/audit', name: 'Audit' },
  { to: '/settings/people', name: 'People' },
  { to: '/settings/connections', name: 'Connections' },
  { to: '/settings/notifications', name: 'Notifications' },
  { to: '/settings/appearance', name: 'Appearance' },
  { to: '/settings/data', name: 'Data' },
  { to: '/settings/about', name: 'About' },
] as const;
