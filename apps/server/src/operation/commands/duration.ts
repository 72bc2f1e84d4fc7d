import { MisuseError } from './command.ts';

const SHORT = /^(?<count>\d{1,6})(?<unit>[mhdw])$/;
const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** ISO 8601: `P1Y6M`, `P30D`, `PT12H`. */
const ISO =
  /^P(?=[\dT])(?:(?<years>\d{1,4})Y)?(?:(?<months>\d{1,4})M)?(?:(?<weeks>\d{1,6})W)?(?:(?<days>\d{1,6})D)?(?:T(?=\d)(?:(?<hours>\d{1,6})H)?(?:(?<minutes>\d{1,6})M)?(?:(?<seconds>\d{1,8})S)?)?$/;

/**
 * When a duration ends that begins at `now`. Months and years are those of the calendar, by UTC.
 * @param option the option that gave it: `--expires-in`.
 * @throws MisuseError when it is no duration.
 */
export const endOfDuration = (option: string, duration: string, now: Date): Date => {
  const { count, unit = '' } = SHORT.exec(duration)?.groups ?? {};
  if (count !== undefined) return new Date(now.getTime() + Number(count) * (UNIT_SECONDS[unit] ?? 0) * 1000);
  const iso = ISO.exec(duration)?.groups;
  if (!iso)
    throw new MisuseError(
      `${option} must be a duration such as 12h, 30d, 8w or, as ISO 8601 has it, P1Y, not "${duration}"`,
    );
  const number = (name: string) => Number(iso[name] ?? 0);
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + number('years'), end.getUTCMonth() + number('months'));
  const days = number('weeks') * 7 + number('days');
  const seconds = (days * 24 + number('hours')) * 3_600 + number('minutes') * 60 + number('seconds');
  return new Date(end.getTime() + seconds * 1000);
};
