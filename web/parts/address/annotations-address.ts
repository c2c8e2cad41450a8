import { AnnotationKind } from '../../../src/protocol/annotation.ts';
import { AnnotationState } from '../../../src/protocol/api/annotations.ts';

/** Which comments the page shows; part of its address. */
export interface AnnotationFilter {
  readonly session?: string;
  readonly state?: AnnotationState;
  readonly kind?: AnnotationKind;
  readonly file?: string;
}

/** What an address asks for; anything else in it is left out. */
export function annotationFilterOf({ session, state, kind, file }: Readonly<Record<string, unknown>>): AnnotationFilter {
  const [asState, asKind] = [AnnotationState.safeParse(state), AnnotationKind.safeParse(kind)];
  return {
    ...(typeof session === 'string' && session !== '' && { session }),
    ...(asState.success && { state: asState.data }),
    ...(asKind.success && { kind: asKind.data }),
    ...(typeof file === 'string' && file !== '' && { file }),
  };
}
