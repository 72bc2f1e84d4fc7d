import type { LinkCheckStep } from '@candela/contract';
import type { PlatformPreset } from '@candela/contract/rules/client-presets';
import type { LinkCheckProblem, LinkCheckStepName } from '@candela/contract/rules/link-check';
import type { Masks } from './masks.ts';
import type { CredentialPlace, PlatformConduct } from './platform-conduct.ts';
import type { StandIn } from './stand-in.service.ts';
import { type Answer, PATIENCE_MS, type Unanswered, type Visitor } from './visitor.ts';

export type Exchange = LinkCheckStep['exchanges'][number];

/** What a step found wrong. */
export interface Finding {
  problem: LinkCheckProblem;
  /** The field of the registration to change. */
  field?: string | undefined;
  value?: string | undefined;
  /** It may be meant so. */
  isWarning?: true;
}

/** What one check goes by. */
export interface Course {
  platform: PlatformPreset;
  conduct: PlatformConduct;
  issuer: string;
  metadata: Readonly<Record<string, unknown>>;
  isDisabled: boolean;
  standIn: StandIn;
  /** Where the platform puts the credentials. */
  credentials: CredentialPlace;
  /** The API that the client gets tokens for; undefined: tokens of the account. */
  resource: { identifier: string; scope: string } | undefined;
  masks: Masks;
  /** The platform, which has no cookies. */
  visitor: Visitor;
  /** The browser of the person. */
  browser: Visitor;
  /** The interactions that the browser went through. */
  interactions: string[];
  /** Makes the links older. */
  age(days: number): Promise<void>;
}

/** Tokens that the platform holds. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** What a step came to, and what the next ones build on. */
export interface Outcome<Held = undefined> {
  exchanges: Exchange[];
  findings?: readonly Finding[];
  /** undefined: nothing that later steps could build on. */
  held?: Held | undefined;
}

/** A step of the report. The first finding that is no warning decides, with the values of others like it. */
export const toStep = (
  step: LinkCheckStepName,
  { exchanges, findings = [] }: Outcome<unknown>,
): LinkCheckStep => {
  const found = findings.find(({ isWarning }) => !isWarning) ?? findings[0];
  if (!found) return { step, outcome: 'passed', exchanges };
  const { problem, field, isWarning } = found;
  const alike = findings.filter((one) => one.problem === problem && one.value !== undefined);
  return {
    step,
    outcome: isWarning ? 'warned' : 'failed',
    exchanges,
    problem,
    ...(field !== undefined && { field }),
    ...(alike.length > 0 && { value: [...new Set(alike.map(({ value }) => value))].join(', ') }),
  };
};

/** What came back, as a report shows it: where it leads, JSON, or that it is a page. */
export const shownAnswer = ({ masks }: Pick<Course, 'masks'>, { status, location, text }: Answer): string => {
  if (location) return masks.mask(`${status} ${location.href}`);
  const shown = text.startsWith('{') ? text : text === '' ? '' : '(a page)';
  return masks.mask(`${status} ${shown}`.trim());
};

/** What a step comes to that the server did not answer. */
export const unanswered = (
  { issuer }: Pick<Course, 'issuer'>,
  { message, isLate }: Unanswered,
): Outcome<never> => ({
  exchanges: [{ sent: issuer, came: message }],
  findings: [
    isLate
      ? { problem: 'answer_too_slow', value: String(PATIENCE_MS) }
      : { problem: 'unreachable', value: issuer },
  ],
});

export const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
