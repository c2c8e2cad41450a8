import type { BoundaryItem } from '../../../../src/domain/transcript/item.ts';
import { boundaryText } from '../../../../src/domain/transcript/sentences.ts';

/** The line between what happened before this session and the session itself. */
export const SessionStartLine = ({ item }: { readonly item: BoundaryItem }) => <p className="seam">{boundaryText(item.side)}</p>;
