import * as z from 'zod/mini';
import { presetNames } from '../rules/client-presets.ts';
import { linkCheckProblems, linkCheckSteps } from '../rules/link-check.ts';

/** One request of a check, as text: secrets, codes and tokens are named, not shown. */
const LinkCheckExchange = z.object({
  /** `POST /oauth/token grant_type=refresh_token ...` */
  sent: z.string(),
  /** `200 {"access_token":"(access token 2, 43 characters)", ...}` */
  came: z.string(),
});

/** A step of what a platform documents, or is known to do. */
const LinkCheckStep = z.object({
  step: z.enum(linkCheckSteps),
  /** `skipped`: an earlier step failed that this one builds on. */
  outcome: z.enum(['passed', 'warned', 'failed', 'skipped']),
  exchanges: z.array(LinkCheckExchange),
  /** What is wrong; there where the step warned or failed. */
  problem: z.optional(z.enum(linkCheckProblems)),
  /** The field of the registration that is to be changed. */
  field: z.optional(z.string()),
  /** What is missing there, or what the value has to be; of other problems, what was found. */
  value: z.optional(z.string()),
});
export type LinkCheckStep = z.infer<typeof LinkCheckStep>;

/** What a check of a link came to. */
export const LinkCheck = z.object({
  /** The preset whose platform was played. */
  platform: z.enum(presetNames),
  /** Where the server was asked. */
  issuer: z.string(),
  passed: z.boolean(),
  steps: z.array(LinkCheckStep),
});
export type LinkCheck = z.infer<typeof LinkCheck>;
