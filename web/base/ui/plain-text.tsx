import { Component, type ReactNode } from 'react';
import { withoutOdd } from '../../../src/protocol/odd-characters.ts';

/** Text that could not be formatted, unchanged. */
export const PlainText = ({ text }: { readonly text: string }) => (
  <div className="plain-text">
    <p className="plain-text-note">Shown as plain text because it couldn't be formatted.</p>
    {text}
  </div>
);

interface TextBoundaryProps {
  /** What is rendered. When it changes, rendering is tried again. */
  readonly of: unknown;
  /** The text to show if rendering fails. */
  readonly text: () => string;
  readonly children: ReactNode;
}

interface TextBoundaryState {
  readonly of: unknown;
  readonly isBroken: boolean;
}

/** Wraps agent output: if it can't be rendered, it is shown as plain text and the rest of the page stays. Controls belong outside. */
export class TextBoundary extends Component<TextBoundaryProps, TextBoundaryState> {
  override state: TextBoundaryState = { of: this.props.of, isBroken: false };

  static getDerivedStateFromError = (): Partial<TextBoundaryState> => ({ isBroken: true });

  static getDerivedStateFromProps = ({ of }: TextBoundaryProps, state: TextBoundaryState): TextBoundaryState | null =>
    of === state.of ? null : { of, isBroken: false };

  override render(): ReactNode {
    return this.state.isBroken ? <PlainText text={withoutOdd(this.props.text(), codeOf)} /> : this.props.children;
  }
}

/** Replaces an invisible or direction-changing character, so that the fallback itself can't break. */
const codeOf = (char: string): string => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
