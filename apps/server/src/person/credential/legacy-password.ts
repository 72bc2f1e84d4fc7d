/**
 * Stands in for the hash of a password that only another system can check. It is the hash of no password, and no import
 * takes it as one.
 */
export const LEGACY_PASSWORD = '$legacy$';
