const LENGTH_MAX = 40;
/** No character is made of more code units, the longest emoji included; towers of marks are. */
const CHARACTER_UNITS_MAX = 20;
const UNITS_MAX = LENGTH_MAX * CHARACTER_UNITS_MAX;

/** Controls, what has no meaning of its own, line ends, and marks that turn the direction of what follows. */
const refused =
  /[\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;
/** Inside an emoji these join and choose a look; anywhere else they only hide. */
const insideEmoji =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Variation_Selector}])\u200d|(?<=\p{Emoji})\ufe0f/gu;
const hidden = /\u200d|\p{Variation_Selector}/u;

const segmenter = new Intl.Segmenter();

/** A nickname as typed, composed and without spaces around it; undefined when apps should not get to see it. */
export const parseNickname = (typed: string): string | undefined => {
  const text = typed.normalize('NFC').trim();
  if (text === '' || text.length > UNITS_MAX || refused.test(text)) return undefined;
  if (hidden.test(text.replaceAll(insideEmoji, ''))) return undefined;
  // What has few code units has few characters, and segmenting is dear.
  if (text.length <= LENGTH_MAX) return text;
  const characters = [...segmenter.segment(text)];
  const fits = characters.every(({ segment }) => segment.length <= CHARACTER_UNITS_MAX);
  return fits && characters.length <= LENGTH_MAX ? text : undefined;
};
