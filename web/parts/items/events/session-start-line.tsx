import type { BoundaryItem } from '../../../../src/domain/transcript/item.ts';
import { boundaryText } from '../../../../src/domain/transcript/sentences.ts';

/** Where what came before ends and the session itself begins. */
export const SessionStartLine = ({ item }: { readonly item: BoundaryItem }) => <p className="seam">{boundaryText(item.side)}</p>;
