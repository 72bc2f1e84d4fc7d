import type { ErrorCode } from '@candela/contract';
import { AppError } from '../../ground/errors.ts';
import { RefusedRegistration } from '../../registration/client-registry/refusal.ts';

/** What an operator can do about a code. A fault of metadata has a sentence of its own. */
const sentences: Partial<Record<ErrorCode, string>> = {
  secret_name_invalid:
    'the name of a secret must be 1 to 40 letters, digits, "-", "_" and ".", and begin with a letter or digit',
  secret_name_taken: 'the client has a secret of that name: choose another name, or remove that one first',
  secrets_exhausted: 'the client has five secrets, the most that there may be: remove one first',
  expiry_invalid: 'a secret must end in the future, within five years',
  auth_method_invalid:
    'the client has no secrets: its token_endpoint_auth_method says that it authenticates otherwise, or not at all',
  identifier_blank: 'the phone number or e-mail address is missing',
  identifier_invalid: 'an identifier must be a phone number, such as +8613800138000, or an e-mail address',
  phone_invalid: 'the phone number is not valid',
  email_invalid: 'the e-mail address is not valid',
  not_of_platform:
    'neither the preset of the client nor its redirect URIs are of a platform that homes are linked to: there is nothing to play',
  link_check_running: 'the link of this client is being checked: try again in a minute',
  deletion_pending:
    'the account is being deleted already, and its person can keep it until then: account delete --now deletes it at once',
  account_not_found: 'no account has that phone number, e-mail address or id',
  developer_unknown:
    'no allowed developer has that phone number or e-mail address: developer allow allows one',
};

/** The lines that say why a command was refused, and what would be right. */
export const describeRefusal = (error: unknown): string => {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  if (error.cause instanceof RefusedRegistration)
    return error.cause.faults.map(({ problem }) => problem).join('\n');
  return sentences[error.code] ?? `refused: ${error.code}`;
};
