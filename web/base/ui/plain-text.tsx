import { Component, type ReactNode } from 'react';
import { withoutOdd } from '../../../src/protocol/odd-characters.ts';

/** What could not be drawn in its own form, as it came. */
export const PlainText = ({ text }: { readonly text: string }) => (
  <div className="plain-text">
    <p className="plain-text-note">Shown as plain text: this could not be formatted.</p>
    {text}
  </div>
);

interface TextBoundaryProps {
  /** What is drawn. When it changes, drawing it is tried again. */
  readonly of: unknown;
  /** The words to show when it cannot be drawn. */
  readonly text: () => string;
  readonly children: ReactNode;
}

interface TextBoundaryState {
  readonly of: unknown;
  readonly isBroken: boolean;
}

/** Around whatever an agent printed: if it cannot be drawn, it is shown as plain text and the rest of the page stays. Controls stand outside. */
export class TextBoundary extends Component<TextBoundaryProps, TextBoundaryState> {
  override state: TextBoundaryState = { of: this.props.of, isBroken: false };

  static getDerivedStateFromError = (): Partial<TextBoundaryState> => ({ isBroken: true });

  static getDerivedStateFromProps = ({ of }: TextBoundaryProps, state: TextBoundaryState): TextBoundaryState | null =>
    of === state.of ? null : { of, isBroken: false };

  override render(): ReactNode {
    return this.state.isBroken ? <PlainText text={withoutOdd(this.props.text(), codeOf)} /> : this.props.children;
  }
}

/** In place of a character that cannot be seen or turns others around: a fallback has nothing in it that could break too. */
const codeOf = (char: string): string => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
