import { readUserCode } from '@candela/contract/rules/user-code';

/** The caret's position in the formatted user code, for the position `caret` in the raw `text`. */
export const caretIn = (text: string, caret: number): number => readUserCode(text.slice(0, caret)).length;
