import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import type { Stream, StreamOwner } from './stream.ts';
import {
  concernsStream,
  findAccountOfIdentifier,
  listAccountsOfClient,
  upsertSubject,
} from './stream-subject.repository.ts';

/** The subjects by which a client knows accounts. */
export interface ClientSubjects {
  /**
   * How a client's subjects come from accounts, the same way for all; undefined where the client is unknown by now.
   * A public subject is the account's id (OpenID Connect Core section 8).
   */
  findOfClient(
    owner: StreamOwner,
  ): Promise<{ isPairwise: boolean; of(accountId: string): string } | undefined>;
}

/** A subject as a receiver names it (RFC 9493 sections 3.2.2, 3.2.3 and 3.2.5). */
export type NamedSubject =
  | { format: 'iss_sub'; iss: string; sub: string }
  | { format: 'email' | 'phone_number'; value: string };

export interface StreamSubjects {
  /**
   * Adds an account to a stream, or takes it out.
   * @throws AppError not_found for whom the client does not know, whether or not there is such an account
   */
  set(stream: Stream, subject: NamedSubject, change: { issuer: string; included: boolean }): Promise<void>;
}

const PAGE = 1_000;

const kinds: Readonly<Record<'email' | 'phone_number', IdentifierKind>> = {
  email: 'email',
  phone_number: 'phone',
};

export const createStreamSubjects = ({
  db,
  subjects,
}: {
  db: Kysely<Database>;
  subjects: ClientSubjects;
}): StreamSubjects => {
  /** A pairwise subject cannot be read backwards: it is looked for among the people of the client. */
  const findPairwise = async (
    owner: StreamOwner,
    subjectOf: (accountId: string) => string,
    sub: string,
  ): Promise<string | undefined> => {
    for (let after = ''; ; ) {
      const page = await listAccountsOfClient(db, owner, { after, limit: PAGE });
      const found = page.find((accountId) => subjectOf(accountId) === sub);
      const last = page.at(-1);
      if (found !== undefined || last === undefined || page.length < PAGE) return found;
      after = last;
    }
  };

  const findBySub = async (stream: Stream, owner: StreamOwner, sub: string): Promise<string | undefined> => {
    const known = await subjects.findOfClient(owner);
    if (!known) return undefined;
    if (known.isPairwise) return findPairwise(owner, known.of, sub);
    return (await concernsStream(db, { owner, streamId: stream.id, accountId: sub })) ? sub : undefined;
  };

  const findByIdentifier = (
    owner: StreamOwner,
    { format, value }: Extract<NamedSubject, { value: string }>,
  ): Promise<string | undefined> => {
    const identifier = readIdentifier(value);
    return identifier?.kind === kinds[format]
      ? findAccountOfIdentifier(db, owner, identifier)
      : Promise.resolve(undefined);
  };

  return {
    set: async (stream, subject, { issuer, included }) => {
      const owner = { brand: stream.brand, clientId: stream.client_id };
      const isOther = subject.format === 'iss_sub' && subject.iss !== issuer;
      const found = isOther
        ? undefined
        : subject.format === 'iss_sub'
          ? await findBySub(stream, owner, subject.sub)
          : await findByIdentifier(owner, subject);
      if (found === undefined) throw new AppError('not_found');
      if (!(await upsertSubject(db, { streamId: stream.id, accountId: found, included })))
        throw new AppError('not_found');
    },
  };
};

const readIdentifier = (value: string) => {
  try {
    return parseIdentifier(value);
  } catch {
    return undefined;
  }
};
