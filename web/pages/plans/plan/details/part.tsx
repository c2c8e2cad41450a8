import type { ReactNode } from 'react';

/** A titled part of the details. */
export const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="step-part">
    <h3>{title}</h3>
    {children}
  </section>
);
