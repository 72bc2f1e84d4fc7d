export const codeLength = 6;

/** The digits of a code however it was pasted: spaces, dashes and words go, full-width digits are folded. */
export const foldCode = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\D/g, '').slice(0, codeLength);
