import { type Locale, languages } from '@candela/contract/languages';

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

/** Whether a time is less than a minute from now. The times of lists are exact to the minute. */
export const isNow = (at: Date, now: Date): boolean => Math.abs(secondsTo(at, now)) < 60;

/** The same as `formatDistance`, but less than a minute is “now”. */
export const formatRelative = (at: Date, now: Date, locale: Locale): string =>
  formatDistance(isNow(at, now) ? 0 : secondsTo(at, now), locale);

/**
 * Date and time in this computer’s time zone. With `zone`, the name of the zone follows. A line breaks between the date
 * and the time, and nowhere else.
 */
export const formatMoment = (at: Date, locale: Locale, { zone }: { zone: boolean }): string => {
  const parts = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: languages[locale].hourCycle,
  }).formatToParts(at);
  const text = parts
    .map(({ value }, index) =>
      value.replaceAll(parts[index + 1]?.type === 'hour' ? /\s(?!$)/g : /\s/g, '\u00a0'),
    )
    .join('');
  if (!zone) return text;
  const named = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }).formatToParts(at);
  return `${text}\u00a0${named.find(({ type }) => type === 'timeZoneName')?.value}`;
};

/** The date in this computer’s time zone. */
export const formatDate = (at: Date, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at);

/** “today”, “yesterday”, or the date with its day of the week, in this computer’s time zone. */
export const formatDay = (at: Date, now: Date, locale: Locale): string => {
  const dayOf = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;
  const days = dayOf(at) - dayOf(now);
  const text =
    days === 0 || days === -1
      ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')
      : new Intl.DateTimeFormat(locale, {
          weekday: 'long',
          year: 'numeric',
          month: 'long',
          day: 'numeric',
        }).format(at);
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
};

/** The hour and the minute, in this computer’s time zone. */
export const formatHour = (at: Date, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: languages[locale].hourCycle,
  }).format(at);

/** A time zone in words, such as “Central European Time”; its name where this browser does not know it. */
export const formatTimeZone = (timeZone: string, locale: Locale): string => {
  try {
    const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' }).formatToParts();
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  } catch {
    return timeZone;
  }
};

/** The space between two sentences or before a bracket; empty in languages with full-width marks. */
export const gap = (locale: Locale): string => (languages[locale].isFullWidth ? '' : ' ');

/** The first `most` names of a list; an ellipsis stands for the others. */
export const formatNames = (names: readonly string[], most: number, locale: Locale): string => {
  const format = new Intl.ListFormat(locale);
  if (names.length <= most) return format.format(names);
  const [, between] = format.formatToParts(['1', '2', '3']);
  return `${names.slice(0, most).join(between?.value)}…`;
};

/** The name of a BCP 47 tag in the reader’s language. A text that is not a tag stays as it is. */
export const languageName = (tag: string, locale: Locale): string => {
  try {
    const name = new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
  } catch {
    return tag;
  }
};
