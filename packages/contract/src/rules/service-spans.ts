/** For how long back the counts of the service are shown: a day by half hours, or 90 days by days. */
export const serviceSpans = ['day', 'quarter'] as const;
export type ServiceSpan = (typeof serviceSpans)[number];
