interface EditorButtonsProps {
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

export const EditorButtons = ({ onSave, onCancel }: EditorButtonsProps) => (
  <p className="item-note-ways">
    <button type="button" className="button primary" onClick={onSave}>
      Save
    </button>
    <button type="button" className="button plain" onClick={onCancel}>
      Cancel
    </button>
  </p>
);
