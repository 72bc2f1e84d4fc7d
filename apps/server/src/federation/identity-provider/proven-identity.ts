import { isStorable } from '../../ground/db/storable-text.ts';
import { AppError } from '../../ground/errors.ts';
import { parseEmail } from '../../ground/identifier/email.ts';
import type { ProvenIdentity } from './provider-kind.ts';

/** OpenID Connect Core section 2: 255 characters of ASCII; other providers have shorter ones. */
const SUBJECT_LENGTH = 255;

/** @throws AppError provider_failed for a subject that cannot be one */
export const requireSubject = ({ subject }: ProvenIdentity): string => {
  const isSubject = subject !== '' && subject.length <= SUBJECT_LENGTH && isStorable(subject);
  if (!isSubject) throw new AppError('provider_failed');
  return subject;
};

/** The address that a provider told, where it is one. */
export const emailOf = ({ email }: Pick<ProvenIdentity, 'email'>) =>
  email === undefined ? undefined : parseEmail(email);
