/**
 * Kinds of passwords that are guessed early although no list has them. All take a password in small letters. None
 * refuses more than a few of a million random passwords of eight letters and digits.
 */

/** Along these fingers walk and people count, forwards and backwards. */
const lines = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  ...['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik', '9ol'],
  ...['147', '258', '369', '159', '357'],
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю',
].flatMap((line) => [line, [...line].reverse().join('')]);

const isRun = (text: string): boolean =>
  new Set(text).size === 1 || lines.some((line) => line.includes(text));

const RUN = 3;

/** How many times somebody has to choose to write the text: a run is one choice, however long. */
const countChoices = (text: string): number => {
  let choices = 0;
  for (let at = 0; at < text.length; choices += 1) {
    let end = at + RUN;
    if (end > text.length || !isRun(text.slice(at, end))) {
      at += 1;
      continue;
    }
    while (end < text.length && isRun(text.slice(at, end + 1))) end += 1;
    at = end;
  }
  return choices;
};

/** `qwe123`, `666888`, `1qaz2wsx`, `z123456`. */
const isWalk = (text: string): boolean => countChoices(text) <= (text.length < 10 ? 2 : 3);

const aroundDigits = /^\p{L}{0,2}(\d{5,})\p{L}{0,2}$/u;

/** `a12345b`, `123321a`, `x482284`. */
const isWalkOfDigits = (text: string): boolean => {
  const [, digits = ''] = aroundDigits.exec(text) ?? [];
  return digits !== '' && (isWalk(digits) || digits === [...digits].reverse().join(''));
};

/** A repetition that is longer than this takes patience, and is left to those who want it. */
const REPETITION = 32;

/** `aureliaaurelia`, `k7dk7d`, `121121`. */
const isRepetition = (text: string): boolean =>
  text.length <= REPETITION && (/^(.+?)\1+$/u.test(text) || new Set(text).size <= 2);

const YEAR = '(?:19[3-9]\\d|20[0-4]\\d)';
const MONTH = '(?:0[1-9]|1[0-2])';
const DAY = '(?:0[1-9]|[12]\\d|3[01])';
const date = new RegExp(
  `^(?:${YEAR}${MONTH}${DAY}?|${MONTH}${DAY}?${YEAR}|${DAY}${MONTH}${YEAR}|\\d\\d${MONTH}${DAY}|(?:${DAY}${MONTH}|${MONTH}${DAY})\\d\\d|${YEAR}${YEAR})$`,
);

/** `199001`, `19900131`, `31011990`, `900131`. */
const isDate = (text: string): boolean => date.test(text);

const year = new RegExp(`^${YEAR}$`);
const liked = new Set([
  '007',
  '01',
  '10',
  '100',
  '101',
  '168',
  '518',
  '520',
  '521',
  '911',
  '1314',
  '5201314',
]);

/** Digits that people put behind a word. */
const isUsualNumber = (digits: string): boolean =>
  digits.length <= 1 || isRun(digits) || year.test(digits) || liked.has(digits) || isDate(digits);

/** Letters that a digit stands for. */
const spelledWithDigits: Record<string, readonly string[]> = {
  0: ['o', 'a'],
  1: ['i', 'l'],
  3: ['e'],
  4: ['a'],
  5: ['s'],
  7: ['t'],
  8: ['b'],
  9: ['g'],
};
/** Whoever writes more digits than letters has no word in mind. */
const SPELLED_LENGTH = 16;
const SPELLED_DIGITS = 4;

/** Every word that the text may mean, itself first. */
const readSpelled = (text: string): string[] => {
  if (text.length > SPELLED_LENGTH || text.replace(/\D+/g, '').length > SPELLED_DIGITS) return [text];
  return [...text].reduce<string[]>(
    (heads, character) => {
      const letters = spelledWithDigits[character] ?? [character];
      return heads.flatMap((head) => letters.map((letter) => head + letter));
    },
    [''],
  );
};

/** With two digits a short common word is guessed early, and a long one is not. */
const SHORT_WORD = 7;
const endsCommon = (word: string, digits: string) => digits.length !== 2 || word.length <= SHORT_WORD;

/** Whether a password is one of the kinds. `words` and `common` are in small letters. */
export const createPatternCheck = ({
  words,
  common,
}: {
  words: readonly string[];
  common: ReadonlySet<string>;
}) => {
  const madeOfWords = new RegExp(`^(?:${words.join('|')}){1,2}$`);

  /** `wang123`, `lamp1`, `123test`, `johnsmith1990`, `qwerty12`; `dragon99` of a word that is common by itself. */
  const isWordWithNumber = (text: string): boolean => {
    const [, before = '', word, behind = ''] = /^(\d*)(\p{L}+)(\d*)$/u.exec(text) ?? [];
    if (word === undefined || !isUsualNumber(before) || !isUsualNumber(behind)) return false;
    return (
      (word.length > RUN && isWalk(word)) ||
      madeOfWords.test(word) ||
      isRun(word) ||
      (common.has(word) && [before, behind].every((digits) => endsCommon(word, digits)))
    );
  };

  /** `p455w0rd`, `dr4gon99`. */
  const isSpelledWithDigits = (text: string): boolean => {
    const [, spelled = '', behind = ''] = /^(.*\p{L})(\d*)$/u.exec(text) ?? [];
    const isNumber = isUsualNumber(behind) && endsCommon(spelled, behind);
    return (
      readSpelled(text).some((word) => common.has(word)) ||
      (isNumber && readSpelled(spelled).some((word) => common.has(word)))
    );
  };

  return (text: string): boolean =>
    isWalk(text) ||
    isWalkOfDigits(text) ||
    isRepetition(text) ||
    isDate(text) ||
    isWordWithNumber(text) ||
    isSpelledWithDigits(text);
};
