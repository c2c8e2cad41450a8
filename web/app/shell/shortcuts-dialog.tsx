import { ACTION_IDS, type ActionId, factsOf, SCOPES, type Scope } from '../../base/actions/action-list.ts';
import { useRegistry } from '../../base/actions/actions-context.ts';
import { isMac } from '../../base/actions/is-mac.ts';
import { keyText } from '../../base/actions/key-names.ts';
import { Dialog } from '../../base/ui/dialog.tsx';

/** All shortcuts, generated from the action registry. Those that work right now are bold. */
export default function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const here = new Set(
    useRegistry()
      .bound()
      .map(({ id }) => id),
  );
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="shortcuts">
        {keyedScopes().map(([scope, ids]) => (
          <section key={scope}>
            <h3>{SCOPES[scope]}</h3>
            <dl>
              {ids.map((id) => (
                <Line key={id} id={id} isHere={here.has(factsOf(id).isOfField === true ? 'session.write' : id)} />
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="quiet shortcuts-note">
        Bold shortcuts work here. They act on what is selected, which has a ring around it. Shortcuts are off while you type.
      </p>
    </Dialog>
  );
}

function Line({ id, isHere }: { readonly id: ActionId; readonly isHere: boolean }) {
  const { title, keys = [], keysText } = factsOf(id);
  const shown = keysText === undefined ? keys.map((key) => keyText(key, isMac())) : [keysText];
  return (
    <div className={isHere ? 'shortcut here' : 'shortcut'} data-action={id}>
      <dt>
        {shown.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{title.replace(/…$/, '')}</dd>
    </div>
  );
}

function keyedScopes(): readonly (readonly [Scope, readonly ActionId[]])[] {
  const scopes = Object.keys(SCOPES).filter((scope): scope is Scope => scope in SCOPES);
  const keyed = ACTION_IDS.filter((id) => factsOf(id).keys !== undefined);
  return scopes.map((scope) => [scope, keyed.filter((id) => factsOf(id).scope === scope)] as const).filter(([, ids]) => ids.length > 0);
}
