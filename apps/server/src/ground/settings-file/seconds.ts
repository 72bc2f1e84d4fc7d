import * as z from 'zod/mini';

/** A whole number of seconds. */
export const seconds = (min: number, max: number) =>
  z
    .number()
    .check(
      z.refine(
        (value) => Number.isInteger(value) && value >= min && value <= max,
        `must be a whole number of seconds from ${min} to ${max}`,
      ),
    );

/** Platforms of voice assistants ask for at least 360 seconds. */
export const accessTokenSeconds = seconds(360, 86_400);
