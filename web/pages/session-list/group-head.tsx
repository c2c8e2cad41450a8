import { ChevronRight } from 'lucide-react';
import type { Project } from '../../../src/protocol/http.ts';
import { numberText } from '../../base/text/format.ts';
import { useSessionList, useSessionListState } from '../../parts/session-list/use-session-list.ts';
import { totalOf } from '../../store/session-list/list-state.ts';

/** The header of a project, which folds its sessions. */
export function GroupHead({ project }: { readonly project: Project }) {
  const sessionList = useSessionList();
  const isFolded = useSessionListState((state) => state.folded.has(project.id));
  const total = useSessionListState((state) => totalOf(state, project.id));
  return (
    <h2 className="group-head">
      <button type="button" aria-expanded={!isFolded} onClick={() => sessionList.setFolded(project.id, !isFolded)}>
        <ChevronRight size={14} aria-hidden="true" />
        <span className="group-title">{project.title}</span>
        <span className="group-count">{total === undefined ? '' : numberText(total)}</span>
        <span className="group-path mono">{project.path}</span>
      </button>
    </h2>
  );
}
