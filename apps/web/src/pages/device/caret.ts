import { readUserCode } from '@candela/contract/rules/user-code';

/** Where the caret belongs in the user code that `text` becomes, when it is at `caret` in `text`. */
export const caretIn = (text: string, caret: number): number => readUserCode(text.slice(0, caret)).length;
