const LENGTH_MAX = 40;
/** No character is made of more code units, the longest emoji included; towers of marks are. */
const CHARACTER_UNITS_MAX = 20;

/** Controls, line ends, and what has no meaning of its own or stands for something that is not there. */
const refused = /[\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u2800\ufff9-\ufffc]/u;
/** Letters and symbols by their category that are drawn as nothing: blanks of Egyptian, Khitan, music and signs. */
const blank = /[\u{13430}-\u{1345f}\u{16fe4}\u{1d159}\u{1da7f}\u{1da80}]/u;
/** A syllable of Burmese has up to six marks; towers that fall over the lines above have more. */
const tower = /\p{M}{7}/u;
const space = /\p{Zs}/gu;
/** Inside an emoji these join and choose a look; anywhere else they only hide. */
const insideEmoji =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)/gu;
/** What leaves no mark: fillers, joiners, selectors, tags, and what turns the direction of the text that follows. */
const hidden = /\p{Default_Ignorable_Code_Point}/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

const segmenter = new Intl.Segmenter();

/**
 * A name as typed, composed, with plain spaces for every other kind and without any around it; undefined when nobody
 * should get to see it.
 * @param longest how many characters it may have
 */
export const parseName = (typed: string, longest: number): string | undefined => {
  const text = typed.normalize('NFC').replaceAll(space, ' ').trim();
  if (text === '' || text.length > longest * CHARACTER_UNITS_MAX || refused.test(text)) return undefined;
  if (blank.test(text) || tower.test(text)) return undefined;
  if (hidden.test(text.replaceAll(insideEmoji, '')) || !visible.test(text)) return undefined;
  // Segmenting is slow, and few code units cannot be many characters.
  if (text.length <= longest) return text;
  const characters = [...segmenter.segment(text)];
  const fits = characters.every(({ segment }) => segment.length <= CHARACTER_UNITS_MAX);
  return fits && characters.length <= longest ? text : undefined;
};

/** A nickname, by the rule of names; undefined when apps should not get to see it. */
export const parseNickname = (typed: string): string | undefined => parseName(typed, LENGTH_MAX);
