import type { ReactNode } from 'react';

const slot = '\u0001';

/** A text of the catalogue with an element in place of a placeholder, so each language has its own word order. */
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
