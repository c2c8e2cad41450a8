import { type ComponentProps, Suspense } from 'react';
import { lazily } from '../../../base/browser/lazily.ts';

/** Most sessions wait for nobody when they are opened: what a card needs comes with the first one. */
const ApprovalCard = lazily(async () => ({ default: (await import('./approval-card.tsx')).ApprovalCard }));

export const LaterCard = (props: ComponentProps<typeof ApprovalCard>) => (
  <Suspense fallback={<p className="later-card">waits for you</p>}>
    <ApprovalCard {...props} />
  </Suspense>
);
