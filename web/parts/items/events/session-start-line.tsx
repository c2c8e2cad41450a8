import type { SeamItem } from '../../../../src/domain/transcript/item.ts';

/** Where what came before ends and the session itself begins. */
export const SeamLine = ({ item }: { readonly item: SeamItem }) => (
  <p className="seam">{item.side === 'before' ? 'Before this session' : 'This session begins here'}</p>
);
