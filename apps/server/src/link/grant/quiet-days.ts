/** After so many days without a refresh a link is quiet: homes refresh by the hour. */
export const QUIET_DAYS = 14;
