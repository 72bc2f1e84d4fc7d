import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import { parseEmail } from '../../ground/identifier/email.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import { type AccountRecord, lockAccount } from '../../person/account/account.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import { closeFederatedIdentity } from '../../person/federated-identity/federated-identity.repository.ts';
import type { FederatedIdentityRow } from '../../person/federated-identity/federated-identity.table.ts';
import { isLastWayIn } from '../../person/passkey/last-way-in.ts';
import type { ProviderDirectory } from '../directory/provider-directory.ts';
import type { EventEffect } from '../identity-provider/provider-kind.ts';

export interface EffectOptions {
  brands: readonly Brand[];
  directory: ProviderDirectory;
  messages: Pick<MessageQueue, 'add'>;
  now: () => Date;
}

/** The address that the provider told, as contacts are compared. */
const addressOf = ({ email }: FederatedIdentityRow): string | undefined =>
  email === null ? undefined : parseEmail(email)?.value;

/** Tells contacts but the address at the provider, which whoever has the account there reads. */
const tellOthers = (
  trx: Kysely<Database>,
  { brands, directory, messages, now }: EffectOptions,
  { account, identifiers }: AccountRecord,
  told: { notice: 'provider_closed' | 'provider_mail_stopped'; identity: FederatedIdentityRow },
): Promise<Delivery[]> | Delivery[] => {
  const { notice, identity } = told;
  const brand = brands.find(({ id }) => id === identity.brand);
  const others = identifiers.filter(({ value }) => value !== addressOf(identity));
  if (!brand) return [];
  const { locale } = account;
  const provider = directory.nameOf(brand, identity.provider, locale);
  return addNotices(trx, messages, others, { notice, provider, at: now(), locale, brand });
};

const endSessions = (trx: Kysely<Database>, { id, account_id }: FederatedIdentityRow) =>
  end(trx, ends.providerWarned, { accountId: account_id, identityId: id });

/**
 * What an event at a provider does to a way in, and who hears of it. The account is locked first.
 * A last way in is not closed: it would shut its person out, and protect nobody.
 */
export const takeEffect = async (
  trx: Kysely<Database>,
  options: EffectOptions,
  { effect, identity }: { effect: EventEffect; identity: FederatedIdentityRow },
): Promise<Delivery[]> => {
  const record = await lockAccount(trx, identity.account_id);
  if (!record) return [];
  const { account_id: accountId, brand, provider } = identity;
  if (effect === 'stops_mail') {
    const isContact = record.identifiers.some(({ value }) => value === addressOf(identity));
    return isContact ? tellOthers(trx, options, record, { notice: 'provider_mail_stopped', identity }) : [];
  }
  const own = { id: identity.id, account_id: accountId };
  const closed =
    effect === 'closes' &&
    !(await isLastWayIn(trx, options.directory, record, identity)) &&
    (await closeFederatedIdentity(trx, own, options.now()));
  if (closed) {
    const name = options.directory.nameOf({ id: brand, origin: '' }, provider, record.account.locale);
    await noteActivity(trx, { accountId, kind: 'provider_closed', brand, detail: { name } });
  }
  const { sessions } = await endSessions(trx, identity);
  if (!closed && sessions.length > 0)
    await noteActivity(trx, { accountId, kind: 'sessions_ended', brand, detail: { total: sessions.length } });
  return closed ? tellOthers(trx, options, record, { notice: 'provider_closed', identity }) : [];
};
