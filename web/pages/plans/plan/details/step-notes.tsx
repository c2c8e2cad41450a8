import { useState } from 'react';
import * as z from 'zod/mini';
import type { PlanNodeState } from '../../../../../src/protocol/api/plan.ts';
import { VisibleText } from '../../../../base/ui/visible-text.tsx';
import { tagsOf } from '../../../../parts/common/tags-of.ts';
import { useFormDraft } from '../../../../parts/common/use-form-draft.ts';
import { usePlanPage } from '../steps/plan-context.ts';
import { useAct } from '../steps/use-act.ts';
import { Part } from './part.tsx';

const Typed = z.object({ notes: z.optional(z.string()), tags: z.optional(z.string()) });
const NOTHING: z.infer<typeof Typed> = {};

/** People's own words about a step; its agent never gets them. */
export function StepNotes({ node }: { readonly node: PlanNodeState }) {
  const { plan, api, mayAct } = usePlanPage();
  const [typed, setTyped] = useFormDraft(`step-notes:${plan.id}:${node.id}`, Typed, NOTHING);
  const [isEditing, setEditing] = useState(typed !== NOTHING);
  const { isBusy, problem, run } = useAct();
  const { notes = node.notes ?? '', tags = (node.tags ?? []).join(', ') } = typed;
  const close = () => {
    setTyped(NOTHING);
    setEditing(false);
  };
  const save = () => run(() => api.note(plan.id, node.id, { notes, tags: tagsOf(tags) })).then((isDone) => isDone && close());
  if (!isEditing) {
    return (
      <Part title="Notes">
        {(node.tags ?? []).length > 0 && (
          <p className="step-tags">
            {node.tags?.map((tag) => (
              <span key={tag} className="chip">
                {tag}
              </span>
            ))}
          </p>
        )}
        {node.notes !== undefined && node.notes !== '' && (
          <p className="step-note">
            <VisibleText text={node.notes} />
          </p>
        )}
        {mayAct && (
          <button type="button" className="text-button" onClick={() => setEditing(true)}>
            {node.notes === undefined && node.tags === undefined ? 'Add a note or tags' : 'Edit notes and tags'}
          </button>
        )}
      </Part>
    );
  }
  return (
    <Part title="Notes">
      <form className="step-notes" action={() => void save()}>
        <label className="field">
          <span>Note</span>
          {/* biome-ignore lint/a11y/noAutofocus: the person has just asked for this */}
          <textarea rows={3} autoFocus value={notes} onChange={(event) => setTyped({ ...typed, notes: event.target.value })} />
        </label>
        <label className="field">
          <span>Tags (comma-separated)</span>
          <input value={tags} onChange={(event) => setTyped({ ...typed, tags: event.target.value })} />
        </label>
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <div className="step-buttons">
          <button type="submit" className="button primary" disabled={isBusy}>
            Save
          </button>
          <button type="button" className="button plain" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Part>
  );
}
