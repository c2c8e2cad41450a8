import { type ComponentProps, Suspense } from 'react';
import { lazily } from '../../../base/browser/lazily.ts';

/** Most sessions have no pending request when they are opened, so the code for cards loads with the first one. */
const ApprovalCard = lazily(async () => ({ default: (await import('./approval-card.tsx')).ApprovalCard }));

export const LazyApprovalCard = (props: ComponentProps<typeof ApprovalCard>) => (
  <Suspense fallback={<p className="later-card">Needs you</p>}>
    <ApprovalCard {...props} />
  </Suspense>
);
