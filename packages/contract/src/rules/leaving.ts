/** For how long an account that is to be deleted can still be kept. */
export const GRACE_DAYS = 14;

/** For how long the file of an export can be downloaded. */
export const EXPORT_HOURS = 24;
