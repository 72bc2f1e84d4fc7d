/**
 * Every table by its name in SQL; columns are snake_case on both sides. Each `x.table.ts` declares its own row here,
 * so that `ground/db/` knows no table.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the tables fill it
export interface Database {}
