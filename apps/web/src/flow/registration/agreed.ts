import type { Agreement } from '@candela/contract';

/** The agreements that a registration accepts, each in the edition that was shown. */
export type Agreed = Pick<Agreement, 'id' | 'version'>[];

/** Whether a required separate agreement is not ticked. */
export const isMissing = (agreements: readonly Agreement[], ticked: readonly string[]): boolean =>
  agreements.some(({ id, required, separate }) => required && separate && !ticked.includes(id));

/** All agreements without a checkbox, and the ticked agreements. */
export const agreed = (agreements: readonly Agreement[], ticked: readonly string[]): Agreed =>
  agreements
    .filter(({ id, separate }) => !separate || ticked.includes(id))
    .map(({ id, version }) => ({ id, version }));
