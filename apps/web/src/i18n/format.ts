import type { Locale } from '@candela/contract';

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** “in 5 minutes”, “3 days ago”: the largest unit that fits, seconds below a minute. */
export const formatDistance = (seconds: number, locale: Locale): string => {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  }
  return format.format(Math.round(seconds), 'second');
};

const secondsTo = (at: Date, now: Date): number => (at.getTime() - now.getTime()) / 1000;

/** Less than a minute away: lists know times to the minute. */
export const isNow = (at: Date, now: Date): boolean => Math.abs(secondsTo(at, now)) < 60;

/** As `formatDistance`, with less than a minute told as now. */
export const formatRelative = (at: Date, now: Date, locale: Locale): string =>
  formatDistance(isNow(at, now) ? 0 : secondsTo(at, now), locale);

/** Date and time in this computer’s zone, which is named behind it where `zone` is asked for. */
export const formatMoment = (at: Date, locale: Locale, { zone }: { zone: boolean }): string => {
  const text = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(locale !== 'en' && { hourCycle: 'h23' }),
  })
    .format(at)
    // A line never ends between the two.
    .replace(/ (?=[AP]M$)/, '\u00a0');
  if (!zone) return text;
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }).formatToParts(at);
  return `${text} ${parts.find(({ type }) => type === 'timeZoneName')?.value}`;
};

/** What stands between two sentences, or before a bracket: Chinese marks bring their own room. */
export const gap = (locale: Locale): string => (locale.startsWith('zh') ? '' : ' ');

/** The first names of a list; an ellipsis says that there are more. */
export const formatNames = (names: readonly string[], most: number, locale: Locale): string => {
  const format = new Intl.ListFormat(locale);
  if (names.length <= most) return format.format(names);
  const [, between] = format.formatToParts(['1', '2', '3']);
  return `${names.slice(0, most).join(between?.value)}…`;
};

/** The name of a BCP 47 tag in the reader’s language; the tag itself where it is not one. */
export const languageName = (tag: string, locale: Locale): string => {
  try {
    const name = new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  } catch {
    return tag;
  }
};
