const length = 8;
const group = 4;

/** The letters of a code however it was typed or pasted, as devices show them: `wdjb mjht` is `WDJB-MJHT`. */
export const toUserCode = (text: string): string => {
  const letters = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, length);
  return letters.length > group ? `${letters.slice(0, group)}-${letters.slice(group)}` : letters;
};

export const isComplete = (userCode: string): boolean => userCode.length === length + 1;

/** Where the caret belongs in the code made of `text`, whose caret is at `caret`. */
export const caretIn = (text: string, caret: number): number => toUserCode(text.slice(0, caret)).length;
