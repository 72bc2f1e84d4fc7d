import * as z from 'zod/mini';

/** The account is deleted at `endsAt`, unless its person keeps it before. */
export const Leaving = z.object({ endsAt: z.iso.datetime() });

/**
 * The file with everything about the person. `requestedAt` stays for a day: then another one may be asked for.
 * `expiresAt` is there while the file is ready.
 */
export const ExportState = z.object({
  state: z.enum(['none', 'preparing', 'ready']),
  requestedAt: z.optional(z.iso.datetime()),
  expiresAt: z.optional(z.iso.datetime()),
});
export type ExportState = z.infer<typeof ExportState>;
