import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { findAccountByIdentifier, listAccounts } from '../../person/account/account.repository.ts';

/**
 * The id of an account that an operator names by its id, or by an identifier as typed. Ids have the letters of
 * base64url, so that none of them looks like an identifier.
 * @throws AppError identifier_blank, identifier_invalid, phone_invalid, email_invalid, account_not_found
 */
export const findNamedAccount = async (db: Kysely<Database>, named: string): Promise<string> => {
  const [known] = await listAccounts(db, [named]);
  if (known) return known.account.id;
  // What is neither a phone number nor an e-mail address can only be an id.
  if (/^[\w-]{10,}$/.test(named)) throw new AppError('account_not_found');
  const found = await findAccountByIdentifier(db, parseIdentifier(named));
  if (!found) throw new AppError('account_not_found');
  return found.id;
};
