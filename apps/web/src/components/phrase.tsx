import type { ReactNode } from 'react';

const slot = '\u0001';

/** A sentence of the catalogue with an element where its placeholder stands, in any word order. */
export const Phrase = ({
  text,
  children,
}: {
  text: (placeholder: string) => string;
  children: ReactNode;
}) => {
  const [before, after] = text(slot).split(slot);
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
};
